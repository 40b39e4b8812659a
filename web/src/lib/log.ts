/** The log: events grouped by phase, and within a phase by what belongs together: a combat, say. */

import type { Happening, HexId } from './types'

export interface Group {
  key: string
  /** The event that opens the group: a turn, a phase, an attack. */
  head: Happening | null
  kind: 'phase' | 'combat'
  events: Happening[]
}

const PHASES = new Set(['begins', 'turn', 'player_turn', 'phase', 'over'])

/** Kinds of events that open a run of events which belong together, and those that end it when they come after one. */
export interface Runs {
  opens: ReadonlySet<string>
  outside: ReadonlySet<string>
}
const NO_RUNS: Runs = { opens: new Set(), outside: new Set() }

export function groups(events: readonly Happening[], runs: Runs = NO_RUNS): Group[] {
  const found: Group[] = []
  let current: Group | null = null
  for (const [i, event] of events.entries()) {
    const opensPhase = PHASES.has(event.kind)
    const opensCombat = runs.opens.has(event.kind)
    const leavesCombat: boolean = current?.kind === 'combat' && runs.outside.has(event.kind)
    if (opensPhase || opensCombat || leavesCombat || !current) {
      // the dice that opened it fell before
      const before: Happening | undefined = opensCombat ? current?.events.at(-1) : undefined
      const dice: Happening[] = before?.kind === 'rolled' && before.line === event.line ? [before] : []
      if (dice.length) current?.events.pop()
      current = { key: `${event.line}-${i}`, head: opensPhase || opensCombat ? event : null, kind: opensCombat ? 'combat' : 'phase', events: dice }
      found.push(current)
      if (current.head) continue
    }
    current.events.push(event)
  }
  return found
}

/** Does it tell that something else begins? What was done before it, to end what went on, has no event of its own. */
export const isHead = (event: Happening): boolean => PHASES.has(event.kind)

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
