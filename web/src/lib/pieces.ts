/** What lies where: the units of a view as pieces on the map, and their stacks. */

import { faceText, fieldsOf, fill, valuesOf, type Shown } from './faces'
import type { Names } from './names'
import type { CounterRow, Force, HexId, Piece as Seen, UnitId, View } from './types'

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
  /** The colour of its force's signs. */
  ink: string
  counter: CounterRow
  /** A face other than the fresh one is up. */
  reduced: boolean
  values: Record<string, number | string>
  /** All that can be read on it, by name: printed values of the face that is up, and what the view says. */
  shows: Readonly<Record<string, string>>
  /** The parts of its face. */
  parts: Shown[]
  /** The face as text. */
  text: string
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

/** A counter seen from behind, or one that is made during play: it has what the view says and no more. */
function blank(seen: Seen, id: UnitId): CounterRow {
  return { id, side: seen.force, name: seen.id ?? '' }
}

/** Pieces by what was seen of them: of what has not changed (`changes`) the piece is the same, and is not drawn again. */
const made = new WeakMap<Seen, { board: Names['board']; piece: Piece }>()

/** All pieces of a view, on the map or off it. */
export function pieces(view: View, names: Pick<Names, 'counters' | 'isSquare' | 'ink' | 'board'>): Piece[] {
  const { look } = names.board
  const parts = look.parts.map((laid) => laid.part)
  const looks = new Map<Force, Pick<Piece, 'square' | 'colour' | 'ink'>>()
  const dress = (side: Force) => {
    const known = looks.get(side) ?? { square: names.isSquare(side), colour: look.cards[side] ?? '#cccccc', ink: names.ink(side) }
    looks.set(side, known)
    return known
  }
  return (view.pieces ?? []).map((seen, number): Piece => {
    const id = seen.id ?? `?${seen.at}.${number}`
    const before = made.get(seen)
    if (before?.board === names.board && before.piece.id === id) return before.piece
    const printed = names.counters.get(id)
    const shows = valuesOf(look.faces, seen, printed ?? {})
    const piece: Piece = {
      id,
      known: seen.id !== undefined,
      side: seen.force,
      hex: seen.at,
      own: seen.mine ?? false,
      ...dress(seen.force),
      counter: printed ?? blank(seen, id),
      reduced: (seen.face ?? 0) > 0,
      values: seen.values ?? {},
      shows,
      parts: fill(parts, seen, shows),
      text: faceText(look, seen, shows),
      marks: seen.marks ?? [],
      facing: seen.facing ?? null,
      order: seen.order ?? 0,
    }
    made.set(seen, { board: names.board, piece })
    return piece
  })
}

/** What a piece is worth in one line; `say` puts what the face does not write into words. */
export function figures(piece: Pick<Piece, 'text' | 'values'>, say: (key: string, value: number | string) => string = (_, value) => String(value)): string {
  return piece.text || Object.entries(piece.values).map(([key, value]) => say(key, value)).join(', ')
}

/** What weighs on a piece: the markers that lie on its counter. */
export function burdens(piece: Piece, { look }: Names['board']): { sign: string; name: string }[] {
  return piece.parts.flatMap(({ at, text }) => {
    const { part } = look.parts[at]!
    const [name = ''] = fieldsOf(part)
    return part.slot?.startsWith('edge') && text ? [{ sign: text, name }] : []
  })
}

/** Do two seats see the same? Whose pieces are one's own hides nothing. */
export function seesTheSame(one: View, other: View): boolean {
  const bare = ({ seat: _seat, pieces: all = [], ...view }: View): string =>
    JSON.stringify([view, all.map(({ mine: _mine, ...piece }) => JSON.stringify(Object.entries(piece).sort())).sort()])
  return bare(one) === bare(other)
}

/** Is every hexside of a hex of this terrain front, by the readings of these options? */
export function isAllRound(allRound: Record<string, Record<string, string>>, terrain = '', options: Record<string, string> = {}): boolean {
  const unless = allRound[terrain]
  return unless !== undefined && !Object.entries(unless).some(([option, reading]) => options[option] === reading)
}

export function isHex(place: string): boolean {
  return /^\d{4}$/.test(place)
}

/** Stacks of the map, in the order of the server: the piece on top last. Those that are as before are the very same. */
export function stacks(all: Piece[], before: readonly Stack[] = []): Stack[] {
  const old = new Map(before.map((stack) => [stack.hex, stack]))
  const byHex = new Map<HexId, Piece[]>()
  for (const piece of all) {
    if (!isHex(piece.hex)) continue
    const list = byHex.get(piece.hex)
    if (list) list.push(piece)
    else byHex.set(piece.hex, [piece])
  }
  return [...byHex.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hex, list]) => {
      const pieces = list.sort((p, q) => p.order - q.order)
      const known = old.get(hex)
      return known?.pieces.length === pieces.length && known.pieces.every((piece, i) => piece === pieces[i]) ? known : { hex, pieces }
    })
}

const PARTS: Record<string, string> = {
  '1/2': '½', '1/3': '⅓', '2/3': '⅔', '1/4': '¼', '3/4': '¾', '1/5': '⅕', '2/5': '⅖', '3/5': '⅗', '4/5': '⅘', '1/6': '⅙', '5/6': '⅚',
}
const common = (a: number, b: number): number => (b ? common(b, a % b) : a)

/** Movement points, counted in parts of which `fraction` make a whole one, as the server writes them: `2 2/3`. */
export function points(parts: number, fraction: number): string {
  const whole = Math.floor(parts / fraction)
  const rest = parts % fraction
  if (!rest) return String(whole)
  const by = common(fraction, rest)
  return `${whole || ''} ${rest / by}/${fraction / by}`.trim()
}

/** The same on a hex of the map, where there is little room: `2⅔`. */
export function shortPoints(parts: number, fraction: number): string {
  return points(parts, fraction).replace(/ ?(\d+\/\d+)$/, (told, part: string) => PARTS[part] ?? told)
}
