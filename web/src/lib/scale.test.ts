import { expect, test } from 'vitest'
import { niceStep, victoryScale } from './scale'

test('the marks of an axis are 1, 2 or 5 times a power of ten apart', () => {
  expect([0.1, 1, 1.4, 3, 7, 12, 40].map(niceStep)).toEqual([1, 1, 2, 5, 10, 20, 50])
})

test('the levels of victory follow each other without a gap', () => {
  expect(victoryScale([['first', 2], ['draw', 5], ['second', null]])).toEqual([
    { level: 'first', from: -Infinity, to: 2 },
    { level: 'draw', from: 3, to: 5 },
    { level: 'second', from: 6, to: Infinity },
  ])
  expect(victoryScale([])).toEqual([])
})
