import { describe, expect, it } from 'vitest'
import { readOrder, writeOrder } from './orders'

describe('a standing order', () => {
  it('is read and written as it is typed', () => {
    const text = 'shoot unit=red-1 odds=50; hold'
    expect(readOrder(text)).toEqual([{ policy: 'shoot', given: { unit: 'red-1', odds: '50' } }, { policy: 'hold', given: {} }])
    expect(writeOrder(readOrder(text))).toBe(text)
  })

  it('leaves out what is not given', () => {
    expect(readOrder('')).toEqual([])
    expect(writeOrder([{ policy: 'shoot', given: { unit: '', odds: '30' } }])).toBe('shoot odds=30')
  })
})
