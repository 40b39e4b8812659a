import { describe, expect, it } from 'vitest'
import cases from './faces.cases.json'
import { fill, valuesOf } from './faces'
import { roman } from './roman'
import type { Part, Piece } from './types'

describe('the face of a counter', () => {
  // the server's tests read the same cases (tests/boards/test_faces.py)
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const piece = { at: '0101', ...one.piece } as unknown as Piece
    const values = valuesOf(one.faces ?? ['', '2'], piece, one.printed ?? {})
    expect(fill(one.parts as unknown as Part[], piece, values).map(({ at, text, colour }) => [at, text, colour])).toEqual(one.shown)
  })

  it('puts values into words where somebody asks for them', () => {
    const piece: Piece = { force: 'red', at: '0101', values: { kind: 'gun' } }
    const shown = fill([{ text: '{kind}' }], piece, valuesOf([''], piece, {}), (name, value) => `${name}:${value}`)
    expect(shown).toEqual([{ at: 0, text: 'kind:gun', colour: '' }])
  })

  it('has corps in Roman numbers', () => {
    expect([4, 9, 24, 27, 40].map(roman)).toEqual(['IV', 'IX', 'XXIV', 'XXVII', 'XL'])
  })
})
