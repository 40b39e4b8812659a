import { describe, expect, it } from 'vitest'
import type { Happening } from '../../lib/types'
import { course } from './account'

const event = (kind: string, data: Record<string, unknown> = {}): Happening => ({ line: 1, kind, rules: [], data, text: kind })

describe('the course of a game', () => {
  it('names the objectives that fell for good and who was lost', () => {
    const log = [
      event('turn', { turn: 1 }),
      event('objective', { hex: '2602', force: 'ahg', vp: 8 }),
      event('objective', { hex: '2602', force: 'italian', vp: 8 }),
      event('surrendered', { unit: 'it-a' }),
      event('eliminated', { unit: 'it-b' }),
      event('turn', { turn: 2 }),
      event('moved'),
      event('turn', { turn: 3 }),
      event('routed', { unit: '?1' }),
      event('eliminated', { unit: 'ah-c' }),
    ]
    expect(course(log, (unit) => (unit.startsWith('it-') ? 'italian' : unit.startsWith('ah-') ? 'ahg' : ''))).toEqual([
      { turn: 1, taken: [{ hex: '2602', side: 'italian', vp: 8 }], lost: { italian: { units: ['it-a', 'it-b'], prisoners: 1 } } },
      { turn: 3, taken: [], lost: { ahg: { units: ['ah-c'], prisoners: 0 } } },
    ])
  })
})
