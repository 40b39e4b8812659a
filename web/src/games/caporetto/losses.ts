/** Steps shared among units: a unit that loses two is named twice. */

import { unitsOf } from '../../lib/actions'
import type { Action, UnitId } from '../../lib/types'

/** How often each is named. */
export function shared(units: readonly UnitId[]): Record<UnitId, number> {
  const found: Record<UnitId, number> = {}
  for (const id of units) found[id] = (found[id] ?? 0) + 1
  return found
}

/** The same as names, in this order. */
export function spread(given: Record<UnitId, number>, order: readonly UnitId[]): UnitId[] {
  return order.flatMap((id) => Array.from({ length: given[id] ?? 0 }, () => id))
}

/** Is it one of these answers? */
export function isListed(given: Record<UnitId, number>, actions: readonly Action[]): boolean {
  const wanted = JSON.stringify(Object.entries(given).filter(([, n]) => n).sort())
  return actions.some((one) => JSON.stringify(Object.entries(shared(unitsOf(one))).sort()) === wanted)
}
