import { describe, expect, it } from 'vitest'
import type { Action } from '../../lib/types'
import { listed } from './roster'

const PIECES = new Map([
  ['fresh', { hex: '1010', marks: [] as string[] }],
  ['begun', { hex: '1011', marks: ['acted'] }],
  ['called', { hex: '1012', marks: [] }],
  ['away', { hex: 'routed', marks: [] }],
])

describe('who is listed below the actions', () => {
  it('does not say of who goes on with its move that it must still act', () => {
    const actions = [{ do: 'call', unit: 'called' }, { do: 'face', unit: 'fresh' }, { do: 'done' }] as Action[]
    const found = listed(['begun', 'away'], actions, PIECES)
    expect(found.map(({ key, pieces }) => [key, pieces.map((piece) => piece.hex)])).toEqual([
      ['waiting', ['1010']],
      ['onward', ['1011']],
      ['reserve', ['1012']],
    ])
  })

  it('is nobody where nobody can do anything', () => {
    expect(listed([], [{ do: 'done' }] as Action[], PIECES)).toEqual([])
  })
})
