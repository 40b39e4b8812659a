/** Why a unit cannot do what others can, in the words of the rules. */

import { neighbours } from './geometry'
import type { Names } from './names'
import { commonest } from './refusals'
import type { Session } from './session.svelte'
import type { Action, HexId, Refusal, UnitId } from './types'

/** What the rules say of these actions, if they forbid them all: the commonest reason. */
export async function whyNone(session: Session, actions: readonly Action[]): Promise<Refusal | null> {
  const answers = await Promise.all(actions.map((action) => session.client.why(action)))
  return commonest(answers.map((one) => one.refusal))
}

/** The hexes around a hex that are on the board. */
export function around(names: Names, hex: HexId): HexId[] {
  return neighbours(names.board.board.grid, hex).filter((to): to is HexId => to !== null && names.hexes.has(to))
}

/** Why a unit cannot move: what the rules say of the steps around it. */
export function whyStuck(session: Session, names: Names, verb: string, unit: UnitId, hex: HexId): Promise<Refusal | null> {
  return whyNone(session, around(names, hex).map((to) => ({ do: verb, unit, path: [to] })))
}
