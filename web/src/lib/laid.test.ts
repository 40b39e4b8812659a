import { describe, expect, it } from 'vitest'
import { colourOf, keys, STRIKE } from './laid'

const laid = {
  weather: { name: 'weather', layers: [{ kind: 'fog', hexes: ['0101'] }, { kind: 'rain', hexes: ['0102'] }, { kind: 'clear', hexes: [] }] },
  range: { name: 'range', layers: [{ kind: 'seen', force: 'ahg', hexes: ['0101'] }] },
}

describe('layers of overlays', () => {
  it('without a force have a colour for each kind that is there', () => {
    const found = keys(laid)
    expect(found.map((one) => one.kind)).toEqual(['fog', 'rain'])
    expect(new Set(found.map((one) => one.colour)).size).toBe(2)
  })
  it('that could be attacked have the colour of the numbers over them', () => {
    expect(keys({ outlook: { name: 'outlook', layers: [{ kind: 'strike', hexes: ['0101'] }] } })).toEqual([{ overlay: 'outlook', kind: 'strike', colour: STRIKE }])
  })
  it('have the colour of their force where they have one', () => {
    const ink = (force: string): string => `ink of ${force}`
    expect(colourOf(keys(laid), 'range', 'seen', 'ahg', ink)).toBe('ink of ahg')
    expect(colourOf(keys(laid), 'weather', 'fog', '', ink)).toBe(keys(laid)[0]?.colour)
    expect(colourOf(keys(laid), 'sight', '', '', ink)).toBe('ink of ')
  })
})
