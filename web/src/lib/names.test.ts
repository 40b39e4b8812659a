import { describe, expect, it } from 'vitest'
import { Names } from './names'
import type { Board } from './types'

const board = {
  pack: { sides: { ah: { name: { en: 'A-H', it: 'A-U' } } }, scale: { turn: { en: '2 days per turn', it: '' } } },
  days: [['1916-05-15', '1916-05-16'], ['1916-05-17', '1916-05-18'], ['1916-05-19', '1916-05-20']],
  counters: [{ id: 'it-taro', side: 'italian', name: 'TARO' }],
  hexes: [{ hex: '1211', terrain: 'clear', name: 'Rovereto' }],
  hexsides: [{ a: '1211', b: '1212', name: 'Adige' }],
  words: { en: { phase: { movement: 'Movement Phase' }, policy: { support: { all: 'every gun' } }, word: { a_unit: 'a unit' }, order: { given: '{unit:unit} goes' }, made: { p: 'patrol {n} of {force:side}' }, side: { gold: 'the Golds' } }, it: {} },
} as unknown as Board
const names = new Names(board, ['italian', 'ah'])

describe('names', () => {
  it('are those of the pack', () => {
    expect(names.unit('it-taro')).toBe('TARO')
    expect(names.unit('?1211')).toBe('a unit')
    expect(names.unit('gold-p2')).toBe('patrol 2 of the Golds')
    expect(names.unit('gold-x2')).toBe('gold-x2')
    expect(names.hex('1211')).toBe('1211 Rovereto')
    expect(names.side('1211/1212')).toBe('1211/1212 (Adige)')
    expect(names.seat('ah')).toBe('A-H')
  })

  it('look words up in tables, and in tables inside them', () => {
    expect(names.word('phase', 'movement')).toBe('Movement Phase')
    expect(names.word('policy.support', 'all')).toBe('every gun')
    expect(names.word('phase', 'unheard')).toBe('unheard')
  })

  it('date a turn by its first day', () => {
    expect(names.date(1)).toContain('15')
    expect(names.date(3)).toContain('19')
    expect(names.date(4)).toBe('')
  })

  it('fill the texts of the pack', () => {
    expect(names.say('order', 'given', { unit: 'it-taro' })).toBe('TARO goes')
    expect(names.say('order', 'unheard')).toBe('')
    expect(names.has('order', 'given')).toBe(true)
  })

  it('say who holds a hex', () => {
    const control = { italian: ['1211'], ah: ['1212'] }
    expect(names.holder('1211', control)).toBe('italian')
    expect(names.holder('1212', control)).toBe('ah')
    expect(names.holder('1213', control)).toBe('')
    expect(names.holder('1211')).toBe('')
  })
})
