import { expect, test } from 'vitest'
import { handicapOf } from './handicap'

test('a handicap is a seat and its points', () => {
  expect(handicapOf({ fog: 'true', handicap: 'ah:10' })).toEqual({ seat: 'ah', points: 10 })
})

test('most matches have none', () => {
  expect(handicapOf({ fog: 'true' })).toBeNull()
})
