/** How map and panel share the window. */

export const SMALLEST = 0.2
export const LARGEST = 0.7
/** Who drags the edge so near to the window's own folds the panel away. */
const FOLDS = 0.1

/** The share that the panel gets; null: it is folded. */
export function sized(wanted: number): number | null {
  if (wanted < FOLDS) return null
  return Math.round(1000 * Math.min(LARGEST, Math.max(SMALLEST, wanted))) / 1000
}

/** The panel's size in a grid, no smaller than what it shows can bear; empty as long as nobody has chosen one. */
export function track(share: number | null, least: string): string | undefined {
  return share === null ? undefined : `clamp(${least}, ${100 * share}%, 80%)`
}
