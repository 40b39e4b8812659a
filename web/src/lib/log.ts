/** The log: events grouped by phase, and within a phase by combat. */

import type { Happening, HexId, Seat } from './types'

export interface Group {
  key: string
  /** The event that opens the group: a turn, a phase, an attack. */
  head: Happening | null
  kind: 'phase' | 'combat'
  events: Happening[]
}

const PHASES = new Set(['begins', 'turn', 'player_turn', 'phase', 'over'])
/** What ends the run of a combat in the log when it comes after one. */
const OUTSIDE = new Set(['moved', 'recovered', 'supply', 'attrition', 'entered', 'released', 'returned', 'points', 'bombarded', 'end_roll', 'bridge_demolished', 'flipped'])

export function groups(events: readonly Happening[]): Group[] {
  const found: Group[] = []
  let current: Group | null = null
  for (const [i, event] of events.entries()) {
    const opensPhase = PHASES.has(event.kind)
    const opensCombat = event.kind === 'declared'
    const leavesCombat: boolean = current?.kind === 'combat' && OUTSIDE.has(event.kind)
    if (opensPhase || opensCombat || leavesCombat || !current) {
      current = { key: `${event.line}-${i}`, head: opensPhase || opensCombat ? event : null, kind: opensCombat ? 'combat' : 'phase', events: [] }
      found.push(current)
      if (current.head) continue
    }
    current.events.push(event)
  }
  return found
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
  const found = groups(events).findLast((group) => group.kind === 'combat' || (inPhase && group.head))
  return found?.head && found.kind === 'combat' ? [found.head, ...found.events] : []
}

/** The hexes that an event is about, for showing it on the map. */
export function hexesOf(event: Happening): HexId[] {
  const found: HexId[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^\d{4}$/.test(value)) found.push(value)
      else if (/^\d{4}\/\d{4}$/.test(value)) found.push(...value.split('/'))
    } else if (Array.isArray(value)) value.forEach(look)
  }
  for (const key of ['path', 'hex', 'target', 'bridge', 'bridges']) look(event.data[key])
  return [...new Set(found)]
}

export function diceOf(event: Happening): number[] {
  const dice = event.data.dice
  return event.kind === 'rolled' && Array.isArray(dice) ? dice.map(Number) : []
}
