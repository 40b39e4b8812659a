import { describe, expect, it } from 'vitest'
import { isListed, shared, spread } from './losses'

describe('steps shared among units', () => {
  it('name who loses two twice, and come back the same', () => {
    expect(shared(['b', 'a', 'b'])).toEqual({ a: 1, b: 2 })
    expect(spread({ a: 1, b: 2, c: 0 }, ['a', 'b', 'c'])).toEqual(['a', 'b', 'b'])
  })
  it('are known in whatever order they are written', () => {
    const actions = [{ do: 'share', units: ['b', 'a'] }]
    expect(isListed({ a: 1, b: 1, c: 0 }, actions)).toBe(true)
    expect(isListed({ a: 2 }, actions)).toBe(false)
  })
})
