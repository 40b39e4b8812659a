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

/** The results of a match by score: the levels in the order of the pack's words, bounded by the table's `..._max`. */
export function victoryScale(table: Record<string, unknown>, levels: readonly string[]): VictoryLevel[] {
  const bounds = Object.entries(table)
    .flatMap(([key, value]) => (key.endsWith('_max') && typeof value === 'number' ? [value] : []))
    .sort((a, b) => a - b)
  if (!bounds.length || levels.length !== bounds.length + 1) return []
  return levels.map((level, i) => ({ level, from: i ? (bounds[i - 1] ?? 0) + 1 : -Infinity, to: bounds[i] ?? Infinity }))
}
