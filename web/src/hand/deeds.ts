/** What a counter can do now, read from the offer of any panel. */

import { hexOf, isEnd, pathOf, unitOf, unitsOf } from '../lib/actions'
import type { Action, HexId, Offer, UnitId } from '../lib/types'

/** Hexes that an offer names as targets, each with the pieces that may be used (`inferno.attack`), if it has such. */
export type Targets = Record<HexId, { units: UnitId[]; guns: UnitId[] }>

export function targetsOf(offer: Offer | null): Targets {
  const found = (offer as { targets?: Record<string, { units?: UnitId[]; guns?: UnitId[] }> } | null)?.targets ?? {}
  const pairs = Object.entries(found).flatMap(([hex, one]) => (Array.isArray(one.units) ? [[hex, { units: one.units, guns: one.guns ?? [] }] as const] : []))
  return Object.fromEntries(pairs)
}

/** The answers that this unit gives by itself: not its moves, which are chosen on the map. */
export function deedsOf(offer: Offer | null, unit: UnitId): Action[] {
  const mine = (one: Action): boolean => unitOf(one) === unit || (unitsOf(one).length === 1 && unitsOf(one)[0] === unit)
  return (offer?.actions ?? []).filter((one) => !isEnd(one) && !pathOf(one).length && mine(one))
}

/** The hexes that this unit may help to attack. */
export function targetsFor(offer: Offer | null, unit: UnitId): HexId[] {
  return Object.entries(targetsOf(offer)).flatMap(([hex, one]) => (one.units.includes(unit) || one.guns.includes(unit) ? [hex] : [])).sort()
}

/** To how many hexes it can go. */
export function reachOf(offer: Offer | null, unit: UnitId): number {
  return Object.keys(offer?.units?.[unit]?.reach ?? {}).length
}

/** Who of these can go to a hex. */
export function goers(offer: Offer | null, units: readonly UnitId[], hex: HexId): UnitId[] {
  return units.filter((id) => offer?.units?.[id]?.reach[hex] !== undefined)
}

/** What these units can do to a hex besides going there. */
export function deedsAt(offer: Offer | null, units: readonly UnitId[], hex: HexId): Action[] {
  return units.flatMap((id) => deedsOf(offer, id).filter((one) => hexOf(one) === hex))
}
