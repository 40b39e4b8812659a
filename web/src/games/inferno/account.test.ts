import { describe, expect, it } from 'vitest'
import type { Happening } from '../../lib/types'
import { course } from './account'

const event = (kind: string, data: Record<string, unknown> = {}): Happening => ({ line: 1, kind, rules: [], data, text: kind })

describe('the course of a game', () => {
  it('names the objectives that changed hands and who was lost, turn by turn', () => {
    const log = [
      event('begins', { turn: 2 }),
      event('player_turn', { turn: 2, side: 'italian' }),
      event('taken', { hex: '1812', side: 'italian' }),
      event('taken', { hex: '1912', side: 'italian' }),
      event('player_turn', { turn: 2, side: 'ah' }),
      event('taken', { hex: '1912', side: 'ah' }),
      event('eliminated', { unit: 'it-elba' }),
      event('eliminated', { unit: '?1' }),
      event('player_turn', { turn: 3, side: 'italian' }),
      event('moved'),
    ]
    expect(course(log, { 1912: 1 }, (unit) => (unit.startsWith('it-') ? 'italian' : ''))).toEqual([
      { turn: 2, taken: [{ hex: '1912', side: 'italian', vp: 1 }, { hex: '1912', side: 'ah', vp: 1 }], lost: { italian: ['it-elba'] } },
    ])
  })
})
