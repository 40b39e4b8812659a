import { expect, test } from 'vitest'
import { called, isIn, printed, signsAt } from './legend'
import type { Board, LegendKind } from './types'

const kind = (key: string, of: 'hex' | 'side', column: string, value = ''): LegendKind => ({ key, group: 'terrain', of, column, value })
const [clear, woods, cliff, road] = [kind('clear', 'hex', 'terrain', 'clear'), kind('woods', 'hex', 'terrain', 'woods'), kind('cliff', 'side', 'crag'), kind('road', 'side', 'road')]
const board = {
  look: { legend: [clear, woods, cliff, road] },
  hexes: [{ hex: '0101', terrain: 'clear' }, { hex: '0102', terrain: 'woods' }, { hex: '0103', terrain: 'clear' }],
  hexsides: [{ a: '0102', b: '0101', road: true }, { a: '0102', b: '0103', crag: true, road: true }],
} as unknown as Board

test('a hex has what is printed in it and on its hexsides, in the order of the legend', () => {
  const found = printed(board)
  expect(found.get('0101')).toEqual([clear, road])
  expect(found.get('0102')).toEqual([woods, cliff, road])
  expect(found.get('0103')).toEqual([clear, cliff, road])
  expect(printed(board)).toBe(found)
})

test('a kind is found by its word, or by any', () => {
  expect(isIn({ column: 'peak', value: '' }, { peak: true })).toBe(true)
  expect(isIn({ column: 'settlement', value: '1' }, { settlement: true })).toBe(true)
  expect(isIn({ column: 'slope', value: 'steep' }, { slope: 'gentle' })).toBe(false)
  expect(isIn({ column: 'slope', value: '' }, {})).toBe(false)
})

test('the words of the game go before those of every legend', () => {
  const names = { has: (table: string, key: string) => table === 'terrain' && key === 'woods', word: () => 'the woods', say: (_: string, key: string) => `legend of ${key}` }
  expect(called(woods, names)).toBe('the woods')
  expect(called(cliff, names)).toBe('legend of cliff')
  expect(called(kind('flag_red', 'hex', 'flag', 'red'), names)).toBe('legend of flag')
})

test('signs of a hex are those in it and on its hexsides, each kind once', () => {
  const signs = [{ kind: 'cross', at: '0101/0102' }, { kind: 'cross', at: '0102/0103' }, { kind: 'mine', at: '0103' }]
  const view = { game: 'g', scenario: 's', stage: { turn: 1, phase: 'p' }, signs }
  expect(signsAt(view, '0102').map((sign) => sign.at)).toEqual(['0101/0102'])
  expect(signsAt(view, '0103').map((sign) => sign.kind)).toEqual(['cross', 'mine'])
})
