/** What lies where: the units of a view as pieces on the map, and their stacks. */

import { cardColour } from './counters'
import type { Names } from './names'
import type { CounterRow, Face, HexId, Seat, UnitId, View } from './types'

export interface Piece {
  id: UnitId
  side: Seat
  hex: string
  steps: number
  own: boolean
  /** Of the side with square signs; the other's are round. */
  square: boolean
  colour: string
  counter: CounterRow
  face: Face
  reduced: boolean
  ce: number | null
  supply: string | null
  mov: boolean
  reserve: boolean
  /** It may not move yet. */
  frozen: boolean
  /** Its guns make the barrage of this turn. */
  barrage: boolean
  marks: string[]
}

export interface Stack {
  hex: HexId
  pieces: Piece[]
  /** Units known to lie here, seen or not; null when that is not known. */
  size: number | null
}

const NO_FACE: Face = { attack: 0, defence: 0, ma: 0, av: 0 }

function faceOf(counter: CounterRow, steps: number): { face: Face; reduced: boolean } {
  const most = counter.faces.length
  const face = counter.faces[Math.max(1, Math.min(steps, most)) - 1] ?? NO_FACE
  return { face: { ...NO_FACE, ...face }, reduced: steps > 0 && steps < most }
}

/** All pieces of a view by id, on the map or off it. */
export function pieces(view: View, names: Pick<Names, 'counters' | 'isSquare' | 'board'>): Piece[] {
  const { counters } = names
  const look = (side: Seat) => ({ square: names.isSquare(side), colour: cardColour(names.board.pack.sides[side]?.colour ?? '#cccccc') })
  const still = new Set(view.frozen)
  const more = (counter: CounterRow) => ({
    frozen: still.has(counter.id),
    barrage: counter.side === view.barrage && counter.type.includes('artillery'),
  })
  const found: Piece[] = []
  for (const unit of view.own) {
    const counter = counters.get(unit.id)
    if (!counter) continue
    const marks = unit.marks ?? []
    found.push({
      id: unit.id,
      side: counter.side,
      hex: unit.hex,
      steps: unit.steps,
      own: true,
      ...look(counter.side),
      counter,
      ...faceOf(counter, unit.steps),
      ce: unit.ce,
      supply: unit.supply,
      mov: marks.includes('mov'),
      reserve: marks.includes('reserve'),
      ...more(counter),
      marks: still.has(unit.id) ? [...marks, 'frozen'] : marks,
    })
  }
  for (const unit of view.enemy) {
    const counter = counters.get(unit.id)
    if (!counter) continue
    found.push({
      id: unit.id,
      side: counter.side,
      hex: unit.hex,
      steps: unit.steps,
      own: false,
      ...look(counter.side),
      counter,
      ...faceOf(counter, unit.steps),
      ce: unit.ce ?? null,
      supply: unit.supply ?? null,
      mov: unit.mov ?? false,
      reserve: false,
      ...more(counter),
      marks: still.has(unit.id) ? ['frozen'] : [],
    })
  }
  return found
}

export function isHex(place: string): boolean {
  return /^\d{4}$/.test(place)
}

function weight(piece: Piece): number {
  const shown = piece.marks.includes('top') ? 1000 : 0
  const gun = ['artillery', 'heavy_artillery', 'engineer', 'fortress'].includes(piece.counter.type) ? 0 : 100
  return shown + gun + piece.steps * 20 + piece.face.defence + piece.face.attack
}

/** Stacks of the map, the piece to be drawn on top last. */
export function stacks(all: Piece[], sizes: Record<HexId, number> | undefined): Stack[] {
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
      list.sort((p, q) => weight(p) - weight(q) || (p.id < q.id ? -1 : 1))
      const own = list.every((piece) => piece.own)
      return { hex, pieces: list, size: own ? list.length : (sizes?.[hex] ?? null) }
    })
}

/** Movement points, counted in sixths, as people write them. */
export function points(sixths: number): string {
  const whole = Math.floor(sixths / 6)
  const rest = ['', '⅙', '⅓', '½', '⅔', '⅚'][sixths % 6] ?? ''
  return whole || !rest ? `${whole}${rest}` : rest
}
