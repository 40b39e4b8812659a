import { describe, expect, test } from 'vitest'
import { points } from './pieces'
import { bandOf, smallTable, type Wording } from './tables'

const say: Wording = { row: (key) => `row ${key}`, column: (key) => `column ${key}`, value: (key) => `value ${key}`, points: (parts) => points(parts, 6) }

describe('a small table', () => {
  test('gives movement points whole and modifiers with their sign', () => {
    expect(smallTable('mp', { source: 'printed', enter_ezoc: 6, ezoc_to_ezoc: 15 }, say).rows).toEqual([
      { head: 'row enter_ezoc', cells: ['1'] },
      { head: 'row ezoc_to_ezoc', cells: ['2 1/2'] },
    ])
    expect(smallTable('lrt_drm', { note: 'x', a: 2, b: -2 }, say).rows.map((row) => row.cells)).toEqual([['+2'], ['−2']])
  })

  test('has a column for each effect of terrain that occurs', () => {
    const found = smallTable('tec', { hill: { mp: 6, stack: 4 }, isonzo: { mp: 'all', attack: -1, kind: 'hexside' }, flank_shift: 2 }, say)
    expect(found.heads).toEqual(['column mp', 'column stack', 'column attack'])
    expect(found.rows.map((row) => row.cells)).toEqual([['1', '4', ''], ['value all', '', '−1'], ['+2']])
  })

  test('reads ranges and places', () => {
    expect(smallTable('av_drm', { bands: [[0, 0], [3, 2]] }, say).rows[1]).toEqual({ head: '≥ 3', cells: ['+2'] })
    expect(smallTable('objectives', { peak: 2, special: { '1301': 2 } }, say).rows).toEqual([
      { head: 'row peak', cells: ['2'] },
      { head: 'row 1301', cells: ['2'] },
    ])
  })
})

test('a number falls into the last range that begins at it or below', () => {
  const bands = [[0, 0], [1, 1], [3, 2]]
  expect([0, 1, 2, 3, 99].map((n) => bandOf(bands, n))).toEqual([0, 1, 1, 2, 2])
  expect(bandOf(undefined, 4)).toBe(-1)
})
