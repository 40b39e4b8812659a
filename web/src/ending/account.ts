/** What was taken in a turn, side by side. */

/** The same in groups of one side each, in the order in which the sides began. */
export function bySide<Taken extends { side: string }>(taken: readonly Taken[]): [string, Taken[]][] {
  const found = new Map<string, Taken[]>()
  for (const one of taken) found.set(one.side, [...(found.get(one.side) ?? []), one])
  return [...found]
}
