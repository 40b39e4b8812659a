/** The combats of the log, and what they used of the printed tables. */

import { groups, type Runs } from '../../lib/log'
import type { Happening, Seat } from '../../lib/types'

export const COMBATS: Runs = {
  opens: new Set(['declared']),
  outside: new Set(['moved', 'recovered', 'supply', 'attrition', 'entered', 'released', 'returned', 'points', 'bombarded', 'end_roll', 'bridge_demolished', 'flipped']),
}

/** What a combat used of the tables: the cell of the results, and the reductions of each side. */
export interface Used {
  column: string
  row: number
  steps: number
  lost: Record<Seat, number>
  /** Artillery of the attacker and of the defender. */
  av: { attack: number; defence: number }
}

export function used(events: readonly Happening[]): Used | null {
  const ratio = events.findLast((event) => event.kind === 'ratio')
  if (!ratio) return null
  const result = events.findLast((event) => event.kind === 'result')
  const losses = events.filter((event) => event.kind === 'losses')
  return {
    column: String(ratio.data.column ?? ''),
    row: Number(result?.data.crt ?? 0),
    steps: Number(ratio.data.steps ?? 0),
    lost: Object.fromEntries(losses.map(({ data }) => [String(data.side), Number(data.reductions)])),
    av: { attack: Number(ratio.data.attack_av ?? 0), defence: Number(ratio.data.defence_av ?? 0) },
  }
}

/** The events of the combat fought last (or last in this phase), from its attack on. */
export function lastCombat(events: readonly Happening[], inPhase = false): Happening[] {
  const found = groups(events, COMBATS).findLast((group) => group.kind === 'combat' || (inPhase && group.head))
  return found?.head && found.kind === 'combat' ? [found.head, ...found.events] : []
}
