import { describe, expect, test } from 'vitest'
import type { Names } from '../lib/names'
import type { Offer } from '../lib/types'
import { figureOf, promised, weighable } from './chances'
import { deedsAt, deedsOf, goers, reachOf, targetsFor } from './deeds'

const offer = {
  actions: [{ do: 'fire', unit: 'a', target: '0202' }, { do: 'recover', unit: 'a' }, { do: 'move', unit: 'a', path: ['0102'] }, { do: 'fire', unit: 'b', target: '0303' }, { do: 'end' }],
  units: { a: { left: 3, reach: { '0102': { left: 1, path: ['0102'] } } }, b: { left: 0, reach: {} } },
} as unknown as Offer
const attack = { actions: [], targets: { '0202': { units: ['a'], guns: ['g'], first: ['a'], steps_per_hex: 4 }, '0303': { units: ['b'], guns: [], first: [], steps_per_hex: 4 } } } as unknown as Offer

describe('what a counter can do now', () => {
  test('its own answers, without its moves', () => {
    expect(deedsOf(offer, 'a').map((one) => one.do)).toEqual(['fire', 'recover'])
    expect(deedsOf(null, 'a')).toEqual([])
  })

  test('where it can go, and what it can do to a hex', () => {
    expect(reachOf(offer, 'a')).toBe(1)
    expect(goers(offer, ['a', 'b'], '0102')).toEqual(['a'])
    expect(deedsAt(offer, ['a', 'b'], '0303').map((one) => one.unit)).toEqual(['b'])
  })

  test('the hexes that it may help to attack, as a gun too', () => {
    expect(targetsFor(attack, 'g')).toEqual(['0202'])
    expect(targetsFor(attack, 'b')).toEqual(['0303'])
  })
})

describe('what attacks promise', () => {
  const names = { say: () => '', word: (_table: string, key: string) => key } as unknown as Names
  const sheet = (counts: number[], what = 'levels', effect = '') => ({ heading: '', of: counts.reduce((sum, n) => sum + n, 0), facts: [{ key: 'column', text: '', effect, rule: '' }], rows: [{ what, text: '', who: '', counts, rule: '' }], unknown: [], recalled: [] })

  test('a set to begin with is weighed with its guns, listed attacks a few for each hex', () => {
    expect(weighable(attack, ['attack'])).toEqual([['0202', { do: 'attack', target: '0202', units: ['a'], guns: ['g'] }]])
    const many = { actions: Array.from({ length: 20 }, (_, n) => ({ do: 'fire', unit: `u${n}`, target: '0202' })) } as Offer
    expect(weighable(many, ['fire']).length).toBeLessThan(8)
    expect(weighable(many, [])).toEqual([])
  })

  test('of many attacks on a hex the strongest are weighed, from every side', () => {
    const strong: Record<string, number> = { a: 2, b: 4 }
    const actions = ['a', 'b'].flatMap((unit) => ['0101', '0102', '0103'].map((at) => ({ do: 'declare', unit, at, target: '0202' })))
    const weighed = weighable({ actions: [...actions, ...actions] } as Offer, ['declare'], (unit) => strong[unit] ?? 0)
    expect(weighed.every(([, one]) => one.unit === 'b')).toBe(true)
    expect(new Set(weighed.map(([, one]) => one.at))).toEqual(new Set(['0101', '0102', '0103']))
    expect([figureOf('4-5 [9]'), figureOf('(12) 4'), figureOf('')]).toEqual([4, 12, 0])
  })

  test('the column where there is one, else the chance', () => {
    expect(promised(names, { do: 'attack' }, sheet([1, 1], 'losses', '3:1'))).toEqual({ text: '3:1', merit: 0 })
    expect(promised(names, { do: 'fire' }, sheet([27, 9]))?.text).toBe('25%')
    expect(promised(names, { do: 'declare' }, sheet([10, 8, 18], 'victory'))?.text).toBe('50%')
    expect(promised(names, { do: 'attack' }, { ...sheet([1]), of: 0 })).toBeNull()
  })
})
