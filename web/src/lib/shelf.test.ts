import { describe, expect, test } from 'vitest'
import { canDelete, groupOf, isYours, shelved } from './shelf'
import type { MatchInfo } from './types'

function match(id: string, more: Partial<MatchInfo> = {}, owes: string | null = 'italian'): MatchInfo {
  const card = { turn: 2, days: null, phase: { en: '', it: '' }, active: '', owes, score: {}, sketch: { first: '0101', rows: 1, cells: '', inks: [] } }
  return { id, seats: { italian: 'human', ah: 'steady' }, changed: '2026-01-01', result: null, ended: null, archived: false, people: {}, role: null, you: null, card, ...more } as MatchInfo
}
const held = { state: 'held', name: '', here: false, forced: false, draw: false, hints: [] } as const

describe('the list of matches', () => {
  test('at a local table it is the move of whoever is a person', () => {
    expect(isYours(match('a'), [], true)).toBe(true)
    expect(isYours(match('a', {}, 'ah'), [], true)).toBe(false)
    expect(isYours(match('a', { ended: 'resigned' }), [], true)).toBe(false)
  })

  test('elsewhere only of whoever holds the seat', () => {
    const people = { seats: { italian: 'human', ah: 'human' } }
    expect(isYours(match('a', people), ['ah'], false)).toBe(false)
    expect(isYours(match('a', people), ['italian'], false)).toBe(true)
    expect(isYours(match('a', { ...people, role: 'seat', you: 'italian' }), [], false)).toBe(true)
    expect(isYours(match('a', { ...people, card: null }), ['italian'], false)).toBe(false)
  })

  test('one’s own move comes first, what is over last, what is put away apart', () => {
    const list = [
      match('over', { result: { level: 'draw', score: 1, winner: null, rules: [] } }),
      match('away', { archived: true }),
      match('old', { changed: '2025-01-01' }),
      match('new'),
      match('other', {}, 'ah'),
      match('taught', { name: 'lesson' }),
      match('machines', { seats: { italian: 'steady', ah: 'steady' } }),
    ]
    const found = shelved(list, () => [], true)
    expect(found.yours.map((one) => one.id)).toEqual(['new', 'old'])
    expect([found.theirs, found.watched, found.ended, found.learning, found.archived].map((group) => group.map((one) => one.id))).toEqual([['other'], ['machines'], ['over'], ['taught'], ['away']])
    expect(groupOf(match('x', { archived: true, ended: 'time' }), [], true)).toBe('archived')
  })

  test('what somebody else plays is not deleted', () => {
    const both = match('a', { people: { italian: held, ah: held } })
    expect(canDelete(both, ['italian'], true, false)).toBe(false)
    expect(canDelete(both, ['italian', 'ah'], false, false)).toBe(true)
    expect(canDelete(match('a', { people: {} }), [], true, false)).toBe(true)
    expect(canDelete(match('a', { people: {} }), [], false, false)).toBe(false)
    expect(canDelete(both, [], false, true)).toBe(true)
  })
})
