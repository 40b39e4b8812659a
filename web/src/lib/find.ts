/** Finding counters on a crowded map: by unit, formation, division or corps; and stacks in a few groups. */

import type { Names } from './names'
import { isHex, type Piece, type Stack } from './pieces'
import type { UnitId } from './types'

/** From so many counters on the map stacks are drawn in groups, and there is a box to find them. */
export const CROWDED = 150

export function isCrowded(stacks: readonly Stack[]): boolean {
  return stacks.reduce((sum, stack) => sum + stack.pieces.length, 0) >= CROWDED
}

const OF = ['formation', 'division', 'corps'] as const
const bare = (text: string): string => text.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** What a counter can be found by. */
function wordsOf(piece: Piece, names: Pick<Names, 'unit' | 'word' | 'hex'>): string {
  const { values, counter } = piece
  const formation = values.formation === undefined ? '' : names.word('formation', String(values.formation))
  const numbers = OF.flatMap((name) => (values[name] === undefined ? [] : [`${name}:${String(values[name])}`, name === 'formation' ? '' : `${String(values[name])} ${name}`]))
  return bare([names.unit(piece.id), counter.full_name ?? '', formation, ...numbers, names.hex(piece.hex)].join(' | '))
}

/** The counters on the map that have all the words that are looked for. */
export function find(text: string, pieces: Iterable<Piece>, names: Pick<Names, 'unit' | 'word' | 'hex'>): Piece[] {
  const wanted = bare(text).split(/\s+/).filter(Boolean)
  if (!wanted.length) return []
  return [...pieces].filter((piece) => isHex(piece.hex) && piece.known && has(wordsOf(piece, names), wanted))
}

const has = (words: string, wanted: readonly string[]): boolean => wanted.every((word) => words.includes(word))

/** One of a group, and how many are in it. */
export interface Group {
  piece: Piece
  n: number
}

/** A stack in groups of one formation, or of one class where there is none, each shown by one of it: who is chosen, who can be, or the topmost. The topmost group is last, that of who is chosen after it. */
export function groups(stack: Stack, shown: (id: UnitId) => number = () => 0): Group[] {
  const found = new Map<string, Piece[]>()
  for (const piece of stack.pieces) {
    const key = String(piece.values.formation ?? '') || `${piece.side} ${String(piece.values.class ?? piece.id)}`
    found.set(key, [...(found.get(key) ?? []), piece])
  }
  const last = (pieces: Piece[]): number => stack.pieces.indexOf(pieces.at(-1)!) + (pieces.some((one) => shown(one.id) > 1) ? stack.pieces.length : 0)
  return [...found.values()]
    .sort((a, b) => last(a) - last(b))
    .map((pieces) => ({ piece: pieces.reduce((best, one) => (shown(one.id) >= shown(best.id) ? one : best)), n: pieces.length }))
}
