import { describe, expect, it } from 'vitest'
import { better, chances, columnOf, known, pairsOf, placeOf, sensible, totalOf, type Chart } from './aim'

const chart: Chart = {
  columns: ['1', '2-3', '4-5', '6-8'],
  from: [1, 2, 4, 6],
  results: [
    ['-', '-', '-', '-'],
    ['-', '-', '-', '-'],
    ['-', '-', '*', '*'],
    ['-', '*', '*', 'D1'],
    ['*', '*', 'D1', 'D1'],
    ['*', 'D1', 'D1 S', 'D1/1 S'],
  ],
  again: 3,
}
const targets = {
  '1010': { factors: { a: 2, b: 2, c: 0.5 }, column: '4-5', shift: 0 },
  '1010b': { factors: { a: 1 }, column: '1', shift: -1 },
  '1112': { factors: { c: 3, g: 6 }, column: '6-8', shift: 0, support: 1 },
}

describe('the chart', () => {
  it('has a column for the factors, and none below the first', () => {
    expect([0.5, 1, 1.99, 2, 3.75, 4, 60].map((n) => columnOf(n, chart))).toEqual([-1, 0, 0, 1, 1, 2, 3])
  })
  it('gives exact shares, a star by a second die', () => {
    expect(chances(0, chart).dp).toBeCloseTo(2 / 12)
    expect(chances(2, chart)).toEqual({ dp: 3 / 6, step: 0, stopped: 1 / 6 })
    expect(chances(9, chart).step).toBeCloseTo(1 / 6)
    expect(chances(0, { ...chart, results: [['D1 S'], ['S'], ['D1/1 T'], ['T'], ['D1/1'], ['-']] })).toEqual({ dp: 3 / 6, step: 2 / 6, stopped: 4 / 6 })
    expect(chances(-1, chart)).toEqual({ dp: 0, step: 0, stopped: 0 })
  })
})

describe('targets', () => {
  it('that are like another have what it has', () => {
    const told = { ...targets, '1212': { like: '1112' } }
    expect(known(told)).toEqual({ ...targets, '1212': targets['1112'] })
  })
  it('that differ from another in little say what, wherever that one stands', () => {
    const told = { '0901': { like: '0902', less: ['a'], column: '1' }, '0902': { like: '1010', more: { b: 1, d: 3 }, column: '6-8' }, '1010': { factors: { a: 2, b: 2 }, column: '4-5' } }
    expect(known(told)).toEqual({
      '0901': { factors: { b: 1, d: 3 }, column: '1' },
      '0902': { factors: { a: 2, b: 1, d: 3 }, column: '6-8' },
      '1010': { factors: { a: 2, b: 2 }, column: '4-5' },
    })
    expect(known({ '0901': { like: '0902' }, '0902': { like: '0901' }, '0903': { like: '9999' } })).toEqual({})
  })
})

describe('factors on a target', () => {
  it('are those of who aims at it, with support, and of a group its points', () => {
    expect(totalOf('1010', targets['1010'], { a: { '1010': 0 }, b: { '1112': 0 } })).toBe(2)
    expect(totalOf('1112', targets['1112'], { g: { '1112': 4 } }, { g: 8 })).toBe(4)
  })
})

describe('more fire', () => {
  it('takes the best until the next column, and leaves who has a target', () => {
    const one = better('1010', targets, {}, chart)
    expect(pairsOf(one)).toEqual([['b', '1010']]) // who reaches fewer targets first
    expect(pairsOf(better('1010', targets, one, chart))).toEqual([['b', '1010'], ['a', '1010']])
    expect(better('1010', targets, { a: { '1112': 0 }, b: { '1112': 0 } , c: { '1112': 0 } }, chart)).toEqual({ a: { '1112': 0 }, b: { '1112': 0 }, c: { '1112': 0 } })
  })
  it('is not given where it reaches no column at all', () => {
    expect(better('x', { x: { factors: { a: 0.5 }, column: '' } }, {}, chart)).toEqual({})
  })
})

describe('a sensible fire', () => {
  it('wastes nobody on a column that is reached already', () => {
    const found = sensible(targets, chart, { g: 6 })
    expect(found.g).toEqual({ '1112': 6 })
    expect(found.c).toBeUndefined() // 7 factors and 10 are the same column, and at 1010 it changes nothing
    expect(new Set(Object.keys(found))).toEqual(new Set(['a', 'b', 'g']))
  })
  it('spreads where that promises more', () => {
    const two = { x: { factors: { a: 4, b: 4 }, column: '6-8', shift: 0 }, y: { factors: { a: 4, b: 4 }, column: '6-8', shift: 0 } }
    expect(new Set(pairsOf(sensible(two, chart)).map(([, target]) => target))).toEqual(new Set(['x', 'y']))
  })
  it('can be for one target alone', () => {
    expect(Object.keys(sensible(targets, chart, {}, 1))).toEqual(['g'])
  })
  it('is nothing where nothing can be hit', () => {
    expect(sensible({ x: { factors: { a: 1 }, column: '1', shift: -1 } }, chart)).toEqual({})
  })
})

describe('the answer', () => {
  it('names points of a group that keeps or divides its fire', () => {
    expect(pairsOf({ a: { '1010': 0 }, g: { '1112': 6 } }, { g: 6 })).toEqual([['a', '1010'], ['g', '1112']])
    expect(pairsOf({ g: { '1112': 4, '1010b': 2, '1010': 0 } }, { g: 6 })).toEqual([['g', '1112:4'], ['g', '1010b:2']])
  })
  it('knows guns in place from others', () => {
    expect(placeOf('1010b')).toEqual({ hex: '1010', battery: true })
    expect(placeOf('1010')).toEqual({ hex: '1010', battery: false })
  })
})
