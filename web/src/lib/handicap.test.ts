import { expect, test } from 'vitest'
import { changedSides, handicapOf } from './handicap'

test('a handicap is a seat and its points', () => {
  expect(handicapOf({ fog: 'true', handicap: 'ah:10' })).toEqual({ seat: 'ah', points: 10 })
})

test('most matches have none', () => {
  expect(handicapOf({ fog: 'true' })).toBeNull()
})

test('in a rematch the points go with whoever had them', () => {
  const other = (seat: string): string => (seat === 'ah' ? 'italian' : 'ah')
  expect(changedSides({ fog: 'true', handicap: 'ah:10' }, other)).toEqual({ fog: 'true', handicap: 'italian:10' })
  expect(changedSides({ fog: 'true' }, other)).toEqual({ fog: 'true' })
})
