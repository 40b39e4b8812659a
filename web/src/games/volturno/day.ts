/** What decided the day: the course of a match, and the throws that turned most, from its log. */

import type { Runs } from '../../lib/log'
import type { Force, Happening, HexId, LuckPoint, UnitId } from '../../lib/types'

/** In the log what an activation brings belongs together. */
export const ACTIVATIONS: Runs = {
  opens: new Set(['activated', 'not_activated', 'own_initiative', 'passed']),
  outside: new Set(['activation_over', 'coordination']),
}

/** Of what the score is made: who holds which objective, and the strength that each side has lost by rout. */
export interface Account {
  held: Record<HexId, Force>
  routed: Record<Force, number>
}

export interface Turn {
  turn: number
  taken: { hex: HexId; side: Force }[]
  lost: Record<Force, UnitId[]>
}

/** The turns in which an objective changed hands for good or a unit was lost. Of an objective that changed hands more than once in a turn only the last counts. */
export function course(log: readonly Happening[], sideOf: (unit: UnitId) => Force): Turn[] {
  const found: Turn[] = []
  let now: Turn = { turn: 0, taken: [], lost: {} }
  /** Who held what when the turn began, as far as the log tells. */
  let held = new Map<HexId, Force>()
  for (const { kind, data } of log) {
    if (kind === 'turn') {
      held = new Map([...held, ...now.taken.map(({ hex, side }) => [hex, side] as const)])
      now = { turn: Number(data.turn), taken: [], lost: {} }
      found.push(now)
    } else if (kind === 'taken') {
      const others = now.taken.filter((one) => one.hex !== data.hex)
      const back = held.get(String(data.hex)) === data.side // lost and won again in one turn
      now.taken = back ? others : [...others, { hex: String(data.hex), side: String(data.side) }]
    } else if (kind === 'routed' || kind === 'eliminated') {
      const unit = String(data.unit)
      const side = sideOf(unit)
      if (side) now.lost[side] = [...(now.lost[side] ?? []), unit]
    }
  }
  return found.filter((one) => one.taken.length || Object.keys(one.lost).length)
}

/** The events of a throw whose text tells it, from the most telling on. */
const TELLING = ['fought', 'fired', 'checked']

/** The throws that gave this side most or cost it most against what was to be expected, with the event that tells of them; the greatest first. */
export function swings(series: readonly LuckPoint[], log: readonly Happening[], most: number): { gain: number; event: Happening }[] {
  const byLine = new Map<number, number>()
  let before = { net: 0, expected: 0 }
  for (const point of series) {
    byLine.set(point.line, (byLine.get(point.line) ?? 0) + point.net - point.expected - (before.net - before.expected))
    before = point
  }
  const found = [...byLine].flatMap(([line, gain]) => {
    const told = log.filter((event) => event.line === line && event.text)
    const event = TELLING.flatMap((kind) => told.find((one) => one.kind === kind) ?? [])[0]
    return event && Math.abs(gain) >= 0.5 ? [{ gain, event }] : []
  })
  return found.sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain)).slice(0, most)
}
