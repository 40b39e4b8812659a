import { describe, expect, it } from 'vitest'
import { byFacing, isEnd, isIdle } from './actions'
import { chanceText, sumOf } from './odds'
import type { OddsSheet } from './types'

describe('answers', () => {
  it('that differ in a facing alone are one group, in the order of the first of them', () => {
    const turn = (unit: string, facing: string) => ({ do: 'turn', unit, facing })
    const fire = { do: 'fire', unit: 'a' }
    const groups = byFacing([turn('a', 'n'), fire, turn('a', 'se'), turn('b', 'n')])
    expect(groups).toEqual([[turn('a', 'n'), turn('a', 'se')], [fire], [turn('b', 'n')]])
    expect(byFacing([{ do: 'dress' }, { do: 'dress', facing: 'n' }])).toHaveLength(2)
  })

  it('that end something are known by either word', () => {
    expect([{ do: 'end' }, { do: 'done' }, { do: 'move' }].map(isEnd)).toEqual([true, true, false])
    expect(isIdle({ do: 'done' })).toBe(true)
  })
})

describe('what facts come to', () => {
  it('is their sum where numbers are added, else the last ratio, else the first of them', () => {
    expect(sumOf(['+2', '', '-1', '−3'])).toBe('−2')
    expect(sumOf(['', '3:1', '+1'])).toBe('3:1')
    expect(sumOf(['1.5:1', '-1', '1:1'])).toBe('1:1')
    expect(sumOf(['2-3', '+1'])).toBe('2-3')
    expect(sumOf([])).toBe('')
  })
})

describe('the chance of an answer', () => {
  const row = (what: string, counts: number[]) => ({ what, text: what, who: '', counts, rule: '' })
  const sheet: OddsSheet = { heading: '', of: 4, facts: [], rows: [row('empty', [4, 0]), row('levels', [1, 2, 1])], unknown: [], recalled: [] }
  const words: Record<string, string> = { fire: 'levels' }
  const names = {
    word: (table: string, key: string) => (table === 'chance_of' ? (words[key] ?? key) : key),
    say: (_table: string, _key: string, data: Record<string, unknown> = {}) => `${String(data.what)} ${String(data.share)} ${String(data.s0)}`,
  }

  it('is that of the row which the pack names, else of the first', () => {
    expect(chanceText(names, { do: 'fire' }, sheet)).toBe('levels 75% 25%')
    expect(chanceText(names, { do: 'face' }, sheet)).toBe('empty 0% 100%')
    expect(chanceText(names, { do: 'fire' }, { ...sheet, of: 0 })).toBe('')
  })

  it('can name another row as well', () => {
    const both = { ...names, say: (_table: string, _key: string, data: Record<string, unknown> = {}) => JSON.stringify(data.levels) }
    expect(chanceText(both, { do: 'face' }, sheet)).toBe('{"s0":"25%","s1":"50%","s2":"25%","n":"1","share":"75%"}')
  })
})
