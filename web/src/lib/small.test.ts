import { describe, expect, it } from 'vitest'
import { hexOf, sameSet } from './actions'
import { bars, chanceOf, mostChanged, percent } from './odds'
import { findRules } from './search'

describe('odds', () => {
  it('are shares without the empty tail', () => {
    expect(bars([54, 108, 54, 0, 0], 216)).toEqual([
      { n: 0, share: 0.25 },
      { n: 1, share: 0.5 },
      { n: 2, share: 0.25 },
    ])
  })

  it('say how likely the first thing on a sheet is', () => {
    const sheet = { heading: '', of: 6, facts: [], rows: [{ what: 'destroyed', text: '', who: '', counts: [2, 4], rule: '' }], unknown: [], recalled: [] }
    expect(chanceOf(sheet)).toBeCloseTo(4 / 6)
    expect(chanceOf({ ...sheet, of: 0 })).toBe(0)
  })

  it('say which outcome has changed most, where a mean would say nothing', () => {
    expect(mostChanged([2, 3, 1], 6, [10, 25, 1], 36)).toBe(1)
    expect(mostChanged([2, 3, 1], 6, [12, 18, 6], 36)).toBe(-1)
  })

  it('never call a small chance none', () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '100%'])
  })
})

describe('rules', () => {
  const rules = [
    { id: '6', title: 'Zones', must: 'retreat' },
    { id: '9.2', title: 'Retreats', must: 'go back' },
    { id: '9.2.1', title: 'Going on', must: 'a retreat goes on' },
    { id: '7.4.a', cite: '7.4(1)', title: 'Command', must: 'one corps' },
  ]

  it('are found by number, title and text, best first', () => {
    expect(findRules(rules, 'retreat').map((rule) => rule.id)).toEqual(['9.2', '6', '9.2.1'])
    expect(findRules(rules, '9.2').map((rule) => rule.id)).toEqual(['9.2', '9.2.1'])
    expect(findRules(rules, 'retreat nowhere')).toEqual([])
    expect(findRules(rules, ' ')).toHaveLength(4)
    expect(findRules(rules, '7.4(1)').map((rule) => rule.id)).toEqual(['7.4.a'])
  })
})

describe('actions', () => {
  it('say where they are', () => {
    expect(hexOf({ do: 'retreat', path: ['2312', '2213'] })).toBe('2213')
    expect(hexOf({ do: 'goon', units: ['a'], to: '2311' })).toBe('2311')
    expect(hexOf({ do: 'end' })).toBe('')
  })

  it('compare sets of units', () => {
    expect(sameSet(['a', 'b'], ['b', 'a'])).toBe(true)
    expect(sameSet(['a'], ['a', 'b'])).toBe(false)
  })
})
