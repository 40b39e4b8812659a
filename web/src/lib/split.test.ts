import { expect, test } from 'vitest'
import { LARGEST, SMALLEST, sized, track } from './split'

test('the panel keeps within bounds, and folds at the edge of the window', () => {
  expect(sized(0.4)).toBe(0.4)
  expect(sized(0.15)).toBe(SMALLEST)
  expect(sized(0.95)).toBe(LARGEST)
  expect(sized(0.05)).toBeNull()
})

test('without a size of one’s own the panel is as the table has it', () => {
  expect(track(null, '16rem')).toBeUndefined()
  expect(track(0.5, '16rem')).toBe('clamp(16rem, 50%, 80%)')
})
