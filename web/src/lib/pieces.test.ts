import { describe, expect, it } from 'vitest'
import { burdens, figures, isAllRound, pieces, points, shortPoints, seesTheSame, stacks } from './pieces'
import type { Board, CounterRow, Look, View } from './types'

const counter = (id: string, type = 'infantry'): CounterRow => ({
  id,
  side: id.startsWith('it') ? 'italian' : 'ah',
  name: id.toUpperCase(),
  type,
  attack: '6',
  defence: '5',
  av: '1',
  attack2: '3',
  defence2: '3',
  av2: '0',
})
const counters = new Map(['it-a', 'it-b', 'ah-x'].map((id) => [id, counter(id)]))
counters.set('it-g', { id: 'it-g', side: 'italian', name: 'G', type: 'artillery', attack: '0', defence: '0', av: '4' })

const laid = { x: 0, y: 0, base: 0, size: 9, fit: 54, bold: true }
const look = {
  faces: ['', '2'],
  cards: { italian: '#b0d0a0' },
  parts: [
    { ...laid, part: { slot: 'bottom', text: '{attack}-{defence}' } },
    { ...laid, part: { slot: 'edge-nw', text: '-{ce}', hide: ['0'] } },
    { ...laid, part: { slot: 'edge-sw', text: 'MOV', mark: 'mov' } },
  ],
  text: [{ text: '{attack}-{defence}' }, { text: '({av})', hide: ['0'] }],
} as unknown as Look

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
  const board = { look } as unknown as Board
  const names = { counters, isSquare: (seat: string) => seat === 'italian', ink: () => '#1c6b34', board }
  const all = pieces(view, names)

  it('show what is printed on the face that is up', () => {
    expect(all[0]).toMatchObject({ reduced: true, colour: '#b0d0a0', shows: { attack: '3', ce: '1' } })
    expect(all[1]).toMatchObject({ reduced: false, shows: { attack: '6', defence: '5' } })
    expect(all.slice(0, 3).map((piece) => piece.parts.map((part) => part.text))).toEqual([['3-3', '-1'], ['6-5'], ['0-0', 'MOV']])
  })

  it('know nothing of an enemy that is not told', () => {
    expect(all[4]).toMatchObject({ own: false, known: true, values: { steps: 2 }, marks: ['frozen'] })
    expect(all[4]?.shows.ce).toBeUndefined()
  })

  it('are blank where nobody knows who they are, and still of their force', () => {
    expect(all[3]).toMatchObject({ known: false, side: 'ah', square: false, parts: [], counter: { name: '' } })
    expect(all[5]).toMatchObject({ known: false, facing: 2, values: { kind: 'gun' } })
    expect(new Set(all.map((piece) => piece.id)).size).toBe(all.length)
  })

  it('say what they are worth by their face, else by their values', () => {
    expect(all.slice(0, 3).map((piece) => figures(piece))).toEqual(['3-3', '6-5(1)', '0-0(4)'])
    expect(all.slice(5).map((piece) => figures(piece, (key, value) => `${key} ${value}`))).toEqual(['kind gun'])
  })

  it('tell what weighs on them: the markers on their edges', () => {
    expect(all.slice(0, 3).map((piece) => burdens(piece, board))).toEqual([
      [{ sign: '-1', name: 'ce' }],
      [],
      [{ sign: 'MOV', name: '' }],
    ])
  })

  it('are stacked as the server says, the top one last', () => {
    const found = stacks(all)
    expect(found.map((stack) => stack.hex)).toEqual(['2312', '2412', '2413'])
    expect(found[0]?.pieces.map((piece) => piece.id)).toEqual(['it-g', 'it-b', 'it-a'])
    expect(found[1]?.pieces.map((piece) => piece.known)).toEqual([false, true])
  })

  it('are the same as before where nothing has changed, and so are their stacks', () => {
    const before = stacks(all)
    const seen = view.pieces ?? []
    const moved = seen.map((one) => (one.id === 'it-a' ? { ...one, at: '2413' } : one))
    const after = pieces({ ...view, pieces: moved }, names)
    expect(after.filter((piece, i) => piece !== all[i]).map((piece) => piece.id)).toEqual(['it-a'])
    const now = stacks(after, before)
    expect(now.map((stack, i) => stack === before[i])).toEqual([false, true, false])
  })
})

describe('movement points', () => {
  it('are written in whole points and parts of one', () => {
    expect([0, 3, 6, 16, 35].map((parts) => points(parts, 6))).toEqual(['0', '1/2', '1', '2 2/3', '5 5/6'])
    expect([1, 4, 6, 7].map((parts) => points(parts, 4))).toEqual(['1/4', '1', '1 1/2', '1 3/4'])
    expect([0, 3, 6, 16, 35].map((parts) => shortPoints(parts, 6))).toEqual(['0', '½', '1', '2⅔', '5⅚'])
    expect(shortPoints(9, 7)).toBe('1 2/7')
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

describe('the front', () => {
  it('is all round where the pack says so, and not where an option is read otherwise', () => {
    const allRound = { village: {}, city: { as_village: 'none' } }
    expect(['village', 'city', 'woods'].map((terrain) => isAllRound(allRound, terrain, { as_village: 'all' }))).toEqual([true, true, false])
    expect(isAllRound(allRound, 'city', { as_village: 'none' })).toBe(false)
  })
})
