/** A step for the marks of an axis that people like to read: 1, 2 or 5 times a power of ten, at least 1. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? 10 * power
}

export interface VictoryLevel {
  level: string
  /** The lowest and the highest score of this result. */
  from: number
  to: number
}

/** The results of a match by score: the levels from the lowest on, each with the highest score that gives it. */
export function victoryScale(levels: readonly (readonly [string, number | null])[]): VictoryLevel[] {
  return levels.map(([level, to], i) => {
    const below = levels[i - 1]?.[1] ?? -Infinity
    return { level, from: below + 1, to: to ?? Infinity }
  })
}
