/** What lies where: the units of a view as pieces on the map, and their stacks. */

import { cardColour } from './counters'
import type { Names } from './names'
import type { CounterRow, Face, Force, HexId, Piece as Seen, UnitId, View } from './types'

export interface Piece {
  /** Its own on this map; of an anonymous piece it begins with a question mark. */
  id: UnitId
  /** Who this is, is known. */
  known: boolean
  side: Force
  hex: string
  own: boolean
  /** Of the side with square signs; the other's are round. */
  square: boolean
  colour: string
  counter: CounterRow
  /** The printed face that is up; null where none is printed or known: then the values tell. */
  face: Face | null
  reduced: boolean
  values: Record<string, number | string>
  steps: number
  ce: number | null
  supply: string | null
  mov: boolean
  reserve: boolean
  /** It may not move yet. */
  frozen: boolean
  /** Its guns make the barrage of this turn. */
  barrage: boolean
  marks: string[]
  facing: number | null
  /** How high it lies: 0 at the bottom. */
  order: number
}

export interface Stack {
  hex: HexId
  /** From the bottom up, as the server has them. */
  pieces: Piece[]
}

const NO_FACE: Face = { attack: 0, defence: 0, ma: 0, av: 0 }

function faceOf(counter: CounterRow, up: number): Face | null {
  const face = counter.faces[counter.faces.length - 1 - up]
  return face ? { ...NO_FACE, ...face } : null
}

/** A counter seen from behind, or one that is made during play: it has what the view says and no more. */
function blank(seen: Seen, id: UnitId): CounterRow {
  return { id, side: seen.force, name: seen.id ?? '', faces: [] }
}

/** All pieces of a view, on the map or off it. */
export function pieces(view: View, names: Pick<Names, 'counters' | 'isSquare' | 'board'>): Piece[] {
  const looks = new Map<Force, { square: boolean; colour: string }>()
  const look = (side: Force) => {
    const known = looks.get(side) ?? { square: names.isSquare(side), colour: cardColour(names.board.pack.sides[side]?.colour ?? '#cccccc') }
    looks.set(side, known)
    return known
  }
  return (view.pieces ?? []).map((seen, number): Piece => {
    const id = seen.id ?? `?${seen.at}.${number}`
    const counter = names.counters.get(id) ?? blank(seen, id)
    const { values = {}, marks = [] } = seen
    return {
      id,
      known: seen.id !== undefined,
      side: seen.force,
      hex: seen.at,
      own: seen.mine ?? false,
      ...look(seen.force),
      counter,
      face: faceOf(counter, seen.face ?? 0),
      reduced: (seen.face ?? 0) > 0,
      values,
      steps: Number(values.steps ?? 0),
      ce: typeof values.ce === 'number' ? values.ce : null,
      supply: typeof values.supply === 'string' ? values.supply : null,
      mov: marks.includes('mov'),
      reserve: marks.includes('reserve'),
      frozen: marks.includes('frozen'),
      barrage: marks.includes('barrage'),
      marks,
      facing: seen.facing ?? null,
      order: seen.order ?? 0,
    }
  })
}

/** The figures of a printed face as people write them; without a face what the values say. */
export function figures(piece: Pick<Piece, 'face' | 'values'>, say: (key: string, value: number | string) => string = (_, value) => String(value)): string {
  const { face } = piece
  if (face) return `${face.attack}-${face.defence}-${face.ma}${face.av ? ` (${face.av})` : ''}`
  return Object.entries(piece.values).map(([key, value]) => say(key, value)).join(', ')
}

/** Do two seats see the same? Whose pieces are one's own hides nothing. */
export function seesTheSame(one: View, other: View): boolean {
  const bare = ({ seat: _seat, pieces: all = [], ...view }: View): string =>
    JSON.stringify([view, all.map(({ mine: _mine, ...piece }) => JSON.stringify(Object.entries(piece).sort())).sort()])
  return bare(one) === bare(other)
}

export function isHex(place: string): boolean {
  return /^\d{4}$/.test(place)
}

/** Stacks of the map, in the order of the server: the piece on top last. */
export function stacks(all: Piece[]): Stack[] {
  const byHex = new Map<HexId, Piece[]>()
  for (const piece of all) {
    if (!isHex(piece.hex)) continue
    const list = byHex.get(piece.hex)
    if (list) list.push(piece)
    else byHex.set(piece.hex, [piece])
  }
  return [...byHex.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hex, list]) => ({ hex, pieces: list.sort((p, q) => p.order - q.order) }))
}

const PARTS: Record<string, string> = {
  '1/2': '½', '1/3': '⅓', '2/3': '⅔', '1/4': '¼', '3/4': '¾', '1/5': '⅕', '2/5': '⅖', '3/5': '⅗', '4/5': '⅘', '1/6': '⅙', '5/6': '⅚',
}
const common = (a: number, b: number): number => (b ? common(b, a % b) : a)

/** Movement points, counted in parts of which `fraction` make a whole one, as people write them. */
export function points(parts: number, fraction: number): string {
  const whole = Math.floor(parts / fraction)
  const rest = parts % fraction
  if (!rest) return String(whole)
  const by = common(fraction, rest)
  const part = `${rest / by}/${fraction / by}`
  const sign = PARTS[part]
  return sign ? `${whole || ''}${sign}` : whole ? `${whole} ${part}` : part
}
