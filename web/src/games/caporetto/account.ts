/** What decided the game: of what the points are made, and how the objectives fell. */

import type { Runs } from '../../lib/log'
import type { Force, Happening, HexId, UnitId } from '../../lib/types'

/** Points of a force of the 14th Army. */
export interface Account {
  hexes: number
  exits: number
  prisoners: number
  captures: number
  retaken: number
  total: number
}

/** In the log what an action brings belongs together. */
export const ACTIONS: Runs = {
  opens: new Set(['acts', 'tries_to_react', 'passed']),
  outside: new Set(['turn', 'actions_over', 'over', 'sector_drawn', 'has_planned', 'interdicted']),
}

export interface Turn {
  turn: number
  taken: { hex: HexId; side: Force; vp: number }[]
  lost: Record<Force, { units: UnitId[]; prisoners: number }>
}

/** The turns in which an objective changed hands for good or units were lost; of an objective that changed hands more than once in a turn the last counts. */
export function course(log: readonly Happening[], sideOf: (unit: UnitId) => Force): Turn[] {
  const found: Turn[] = []
  let now: Turn = { turn: 0, taken: [], lost: {} }
  for (const { kind, data } of log) {
    if (kind === 'turn') {
      now = { turn: Number(data.turn), taken: [], lost: {} }
      found.push(now)
    } else if (kind === 'objective') {
      now.taken = [...now.taken.filter((one) => one.hex !== data.hex), { hex: String(data.hex), side: String(data.force), vp: Number(data.vp ?? 0) }]
    } else if (['eliminated', 'surrendered', 'routed'].includes(kind)) {
      const unit = String(data.unit)
      const side = sideOf(unit)
      const before = now.lost[side] ?? { units: [], prisoners: 0 }
      if (side) now.lost[side] = { units: [...before.units, unit], prisoners: before.prisoners + (kind === 'surrendered' ? 1 : 0) }
    }
  }
  return found.filter((one) => one.taken.length || Object.keys(one.lost).length)
}
