/** Moves that are planned and then given one after another, each in the ordinary way. */

import type { Action, HexId, Offer, Refusal, UnitId } from '../lib/types'

export interface Planned {
  unit: UnitId
  /** Those that go along with it in the same action. */
  along: UnitId[]
  from: HexId
  to: HexId
  path: HexId[]
  facing?: string
  /** Why it could not be given, when it was tried. */
  why?: Refusal
}

/** A plan with one move more: a unit has one move in it, the last that was planned for it. */
export function withMove(plan: readonly Planned[], move: Planned): Planned[] {
  const moving = new Set([move.unit, ...move.along])
  const others = plan.flatMap((one): Planned[] => {
    if (moving.has(one.unit)) return []
    return [{ ...one, along: one.along.filter((id) => !moving.has(id)) }]
  })
  return [...others, move]
}

/** The moves of units to a hex: one action where the game has them go together, else one for each. */
export function movesOf(offer: Offer | null, units: readonly UnitId[], from: HexId, to: HexId, facing = ''): Planned[] {
  const ways = units.flatMap((unit) => {
    const path = offer?.units?.[unit]?.reach[to]?.path
    return path ? [{ unit, path }] : []
  })
  const [first, ...rest] = ways
  if (!first) return []
  const turned = facing ? { facing } : {}
  const same = rest.every(({ path }) => String(path) === String(first.path))
  if (rest.length && same && offer?.along?.includes(offer.move ?? 'move')) {
    return [{ unit: first.unit, along: rest.map((one) => one.unit), from, to, path: first.path }]
  }
  return ways.map(({ unit, path }) => ({ unit, along: [], from, to, path, ...(rest.length ? {} : turned) }))
}

/** The action of a planned move as the offer has it now: by the way that was planned if it is still the one, else the present one; null where the unit cannot go there any more. */
export function actionOf(offer: Offer | null, move: Planned): Action | null {
  const path = offer?.units?.[move.unit]?.reach[move.to]?.path
  if (!path) return null
  const along = move.along.filter((id) => offer?.units?.[id]?.reach[move.to])
  return { do: offer?.move ?? 'move', unit: move.unit, path, ...(along.length ? { along } : {}), ...(move.facing ? { facing: move.facing } : {}) }
}
