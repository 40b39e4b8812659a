import { describe, expect, it } from 'vitest'
import { all, costOf, priceOf, sheet } from './plan'

const prices = { formation: 1, guns_each: 5 }
const hq = (formation: string, corps: string, division: string): { id: string; side: string; name: string; class: string; formation: string; corps: string; division: string; initiative: number } => ({ id: `${formation}-hq`, side: 'italian', name: formation, class: 'hq', formation, corps, division, initiative: 2 })

describe('the planning sheet', () => {
  it('prices a formation with its guns', () => {
    expect([0, 1, 5, 6, 15].map((guns) => priceOf(guns, prices))).toEqual([1, 2, 2, 3, 4])
    expect(costOf({ a: 0, b: 10 }, prices)).toBe(4)
  })
  it('lists what is on offer by corps and division', () => {
    const counters = [hq('b', 'IV', '50'), hq('a', 'IV', '7'), hq('c', 'VII', '3'), hq('x', 'IV', '1'), { id: 'u', side: 'italian', name: 'u', class: 'i', formation: 'a' }]
    const found = sheet({ a: [0, 5], b: [0], c: [0] }, counters, new Map([['a', { units: 3, strength: 9 }]]))
    expect(found.map((one) => [one.corps, one.lines.map((line) => line.formation)])).toEqual([['IV', ['a', 'b']], ['VII', ['c']]])
    expect(found[0]?.lines[0]).toMatchObject({ units: 3, strength: 9, boxes: [0, 5] })
  })
  it('plans all, or as many as can be paid, the strongest first', () => {
    const line = (formation: string, strength: number) => ({ formation, strength, corps: '', division: '', initiative: 1, units: 1, boxes: [0, 15] })
    const lines = [line('a', 3), line('b', 9), line('c', 5)]
    expect(all(lines, 2, prices)).toEqual({ b: 0, c: 0 })
    expect(all(lines, null, prices)).toEqual({ a: 15, b: 15, c: 15 })
    expect(all(lines, 0, prices)).toEqual({})
  })
})
