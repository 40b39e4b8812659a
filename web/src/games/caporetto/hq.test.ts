import { describe, expect, it } from 'vitest'
import { nearest } from './hq'

const sheet = { grid: { columns: [1, 20] as [number, number], rows: [1, 20] as [number, number], odd_columns_lower: false }, picture: { width: 2000, height: 2000, x0: 50, y0: 50, dx: 80, dy: 92 } }

describe('a place for a headquarters', () => {
  it('commands most units, then lies near', () => {
    expect(nearest({ '0505': 2, '0606': 3, '0910': 3 }, ['0911'], sheet)).toBe('0910')
    expect(nearest({ '0505': 2, '0606': 1 }, ['0606'], sheet)).toBe('0505')
    expect(nearest({ '0606': 2, '0505': 2 }, [], sheet)).toBe('0505')
    expect(nearest({}, [], sheet)).toBe('')
  })
})
