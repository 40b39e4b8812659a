import { describe, expect, test } from 'vitest'
import { clockText, timeLeft } from './clocks'
import type { Clock } from './types'

const clock: Clock = { total: 60, delay: 10, left: { italian: 60_000, ah: 5_000 }, free: 10_000, running: 'ah', fallen: null }

describe('a clock', () => {
  test('runs for the side that owes the decision, once its free time is over', () => {
    expect(timeLeft(clock, 'italian', 100_000)).toBe(60_000)
    expect(timeLeft(clock, 'ah', 9_000)).toBe(5_000)
    expect(timeLeft(clock, 'ah', 12_000)).toBe(3_000)
    expect(timeLeft(clock, 'ah', 60_000)).toBe(0)
  })

  test('is read in days, hours or minutes', () => {
    expect(clockText(0, 'd')).toBe('0:00')
    expect(clockText(59_001, 'd')).toBe('1:00')
    expect(clockText(3_723_000, 'd')).toBe('1:02:03')
    expect(clockText(3 * 86_400_000 + 4 * 3_600_000, 'g')).toBe('3 g 04 h')
  })
})
