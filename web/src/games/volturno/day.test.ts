import { describe, expect, it } from 'vitest'
import type { Happening, LuckPoint } from '../../lib/types'
import { course, swings } from './day'

const event = (line: number, kind: string, data: Record<string, unknown> = {}): Happening => ({ line, kind, rules: [], data, text: `${kind} ${line}` })
const sideOf = (unit: string): string => (unit.startsWith('g-') ? 'garibaldini' : unit.startsWith('n-') ? 'napoletani' : '')

describe('the course of the day', () => {
  it('names what changed hands for good and who was lost, turn by turn', () => {
    const log = [
      event(1, 'turn', { turn: 1 }),
      event(2, 'taken', { hex: '2323', side: 'napoletani' }),
      event(3, 'taken', { hex: '2323', side: 'garibaldini' }),
      event(4, 'turn', { turn: 2 }),
      event(5, 'moved', { unit: 'g-a' }),
      event(6, 'turn', { turn: 3 }),
      event(7, 'routed', { unit: 'n-x' }),
      event(8, 'eliminated', { unit: 'g-a' }),
      event(9, 'routed', { unit: '?1' }),
    ]
    expect(course(log, sideOf)).toEqual([
      { turn: 1, taken: [{ hex: '2323', side: 'garibaldini' }], lost: {} },
      { turn: 3, taken: [], lost: { napoletani: ['n-x'], garibaldini: ['g-a'] } },
    ])
  })
})

describe('an objective', () => {
  it('that was lost and won again in one turn was not taken', () => {
    const taken = (line: number, side: string): Happening => event(line, 'taken', { hex: '2528', side })
    const log = [event(1, 'turn', { turn: 3 }), taken(2, 'napoletani'), event(3, 'turn', { turn: 5 }), taken(4, 'garibaldini'), taken(5, 'napoletani')]
    expect(course(log, sideOf).map((one) => one.turn)).toEqual([3])
  })
})

describe('the throws that turned most', () => {
  const point = (line: number, net: number, expected: number): LuckPoint => ({ line, turn: 1, net, expected, low80: 0, high80: 0, low95: 0, high95: 0 })

  it('are weighed by line against what was to be expected, and told by the event that says most', () => {
    const series = [point(2, 1, 0.9), point(3, 1, 1.2), point(3, -2, 1.4), point(5, 0, 1.5)]
    const log = [event(2, 'fired'), event(3, 'checked'), event(3, 'fought'), event(5, 'checked')]
    const found = swings(series, log, 2)
    expect(found.map((one) => one.event.text)).toEqual(['fought 3', 'checked 5'])
    expect(found[0]?.gain).toBeCloseTo(-3.5)
    expect(swings(series, [], 2)).toEqual([])
  })
})
