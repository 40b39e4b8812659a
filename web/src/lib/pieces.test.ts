import { describe, expect, it } from 'vitest'
import { pieces, points, stacks } from './pieces'
import type { Board, CounterRow, View } from './types'

const counter = (id: string, type = 'infantry'): CounterRow => ({
  id,
  side: id.startsWith('it') ? 'italian' : 'ah',
  name: id.toUpperCase(),
  size: 'brigade',
  type,
  faces: [
    { attack: 3, defence: 3, ma: 6, av: 0 },
    { attack: 6, defence: 5, ma: 6, av: 1 },
  ],
})
const counters = new Map(['it-a', 'it-b', 'ah-x'].map((id) => [id, counter(id)]))
counters.set('it-g', { ...counter('it-g', 'artillery'), faces: [{ attack: 0, defence: 0, ma: 4, av: 4 }] })

const view = {
  own: [
    { id: 'it-a', hex: '2312', steps: 1, ce: 1, supply: 'low' },
    { id: 'it-b', hex: '2312', steps: 2, ce: 0, supply: 'in' },
    { id: 'it-g', hex: '2312', steps: 1, ce: 0, supply: 'in', marks: ['mov'] },
  ],
  enemy: [{ id: 'ah-x', hex: '2412', steps: 2 }],
} as unknown as View

describe('pieces', () => {
  const all = pieces(view, {
    counters,
    isSquare: (seat) => seat === 'italian',
    board: { pack: { sides: {} } } as unknown as Board,
  })

  it('show the face of the steps left', () => {
    expect(all[0]).toMatchObject({ reduced: true, ce: 1, face: { attack: 3, defence: 3 } })
    expect(all[1]).toMatchObject({ reduced: false, face: { attack: 6, defence: 5 } })
    expect(all[2]).toMatchObject({ reduced: false, mov: true })
  })

  it('know nothing of an enemy that is not told', () => {
    expect(all[3]).toMatchObject({ own: false, ce: null, supply: null })
  })

  it('are stacked with the strongest on top and guns below', () => {
    const [mine, theirs] = stacks(all, { '2412': 3 })
    expect(mine?.pieces.map((piece) => piece.id)).toEqual(['it-g', 'it-a', 'it-b'])
    expect(mine?.size).toBe(3)
    expect(theirs?.size).toBe(3)
  })
})

describe('movement points', () => {
  it('are written in whole points and fractions', () => {
    expect([0, 3, 6, 16, 35].map(points)).toEqual(['0', '½', '1', '2⅔', '5⅚'])
  })
})
