import { describe, expect, it } from 'vitest'
import { figures, pieces, points, seesTheSame, stacks } from './pieces'
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
  pieces: [
    { force: 'italian', at: '2312', id: 'it-a', mine: true, face: 1, values: { steps: 1, ce: 1, supply: 'low' }, order: 2 },
    { force: 'italian', at: '2312', id: 'it-b', mine: true, values: { steps: 2, ce: 0, supply: 'in' }, order: 1 },
    { force: 'italian', at: '2312', id: 'it-g', mine: true, values: { steps: 1, ce: 0, supply: 'in' }, marks: ['mov'] },
    { force: 'ah', at: '2412', values: {} },
    { force: 'ah', at: '2412', id: 'ah-x', values: { steps: 2 }, marks: ['frozen'], order: 1 },
    { force: 'ah', at: '2413', values: { kind: 'gun' }, facing: 2 },
  ],
} as unknown as View

describe('pieces', () => {
  const all = pieces(view, {
    counters,
    isSquare: (seat) => seat === 'italian',
    board: { pack: { sides: {} } } as unknown as Board,
  })

  it('show the face that is up: the printed ones stand with the weakest first', () => {
    expect(all[0]).toMatchObject({ reduced: true, ce: 1, face: { attack: 3, defence: 3 } })
    expect(all[1]).toMatchObject({ reduced: false, face: { attack: 6, defence: 5 } })
    expect(all[2]).toMatchObject({ reduced: false, mov: true, face: { av: 4 } })
  })

  it('know nothing of an enemy that is not told', () => {
    expect(all[4]).toMatchObject({ own: false, known: true, ce: null, supply: null, frozen: true })
  })

  it('are blank where nobody knows who they are, and still of their force', () => {
    expect(all[3]).toMatchObject({ known: false, side: 'ah', square: false, face: null, counter: { name: '' } })
    expect(all[5]).toMatchObject({ known: false, facing: 2, values: { kind: 'gun' } })
    expect(new Set(all.map((piece) => piece.id)).size).toBe(all.length)
  })

  it('say what they are worth by their face, else by their values', () => {
    expect(all.slice(0, 3).map((piece) => figures(piece))).toEqual(['3-3-6', '6-5-6 (1)', '0-0-4 (4)'])
    expect(all.slice(5).map((piece) => figures(piece, (key, value) => `${key} ${value}`))).toEqual(['kind gun'])
  })

  it('are stacked as the server says, the top one last', () => {
    const found = stacks(all)
    expect(found.map((stack) => stack.hex)).toEqual(['2312', '2412', '2413'])
    expect(found[0]?.pieces.map((piece) => piece.id)).toEqual(['it-g', 'it-b', 'it-a'])
    expect(found[1]?.pieces.map((piece) => piece.known)).toEqual([false, true])
  })
})

describe('movement points', () => {
  it('are written in whole points and parts of one', () => {
    expect([0, 3, 6, 16, 35].map((parts) => points(parts, 6))).toEqual(['0', '½', '1', '2⅔', '5⅚'])
    expect([1, 4, 6, 7].map((parts) => points(parts, 4))).toEqual(['¼', '1', '1½', '1¾'])
    expect([3, 10].map((parts) => points(parts, 7))).toEqual(['3/7', '1 3/7'])
    expect(points(5, 1)).toBe('5')
  })
})

describe('what two seats see', () => {
  const view = (seat: string, pieces: View['pieces']): View => ({ game: 'g', scenario: 's', seat, stage: { turn: 1, phase: 'p' }, pieces: pieces ?? [] })

  it('is the same where only their own pieces differ', () => {
    const [a, b] = [{ force: 'red', at: '0101', id: 'r1' }, { force: 'blue', at: '0102', id: 'b1' }]
    expect(seesTheSame(view('north', [{ ...a, mine: true }, b]), view('south', [{ ...b, mine: true }, a]))).toBe(true)
  })

  it('is not where one of them is anonymous to the other', () => {
    const seen = { force: 'red', at: '0101' }
    expect(seesTheSame(view('north', [{ ...seen, id: 'r1', mine: true }]), view('south', [seen]))).toBe(false)
  })
})
