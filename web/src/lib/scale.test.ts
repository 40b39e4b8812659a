import { expect, test } from 'vitest'
import { niceStep } from './scale'

test('the marks of an axis are 1, 2 or 5 times a power of ten apart', () => {
  expect([0.1, 1, 1.4, 3, 7, 12, 40].map(niceStep)).toEqual([1, 1, 2, 5, 10, 20, 50])
})
