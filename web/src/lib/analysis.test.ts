import { expect, test } from 'vitest'
import { verdict } from './analysis'

test('a cost is told from luck by its interval', () => {
  expect(verdict([1.2, 0.3, 2.1])).toBe('costs')
  expect(verdict([1.2, -0.3, 2.7])).toBe('unsure')
  expect(verdict([-1.2, -2, -0.4])).toBe('better')
  expect(verdict([3, null, null])).toBe('unsure')
})
