/** Finding counters on a crowded map: by unit, formation, division or corps; and stacks in a few groups. */

import { bare } from './bare'
import type { Names } from './names'
import { isHex, type Piece, type Stack } from './pieces'
import type { UnitId } from './types'

/** From so many counters on the map stacks are drawn in groups, and there is a box to find them. */
export const CROWDED = 150

export function isCrowded(stacks: readonly Stack[]): boolean {
  return stacks.reduce((sum, stack) => sum + stack.pieces.length, 0) >= CROWDED
}

const OF = ['formation', 'division', 'corps'] as const

/** What a counter can be found by. */
function wordsOf(piece: Piece, names: Pick<Names, 'unit' | 'word' | 'hex'>): string {
  const { values, counter } = piece
  const formation = values.formation === undefined ? '' : names.word('formation', String(values.formation))
  const numbers = OF.flatMap((name) => (values[name] === undefined ? [] : [`${name}:${String(values[name])}`, name === 'formation' ? '' : `${String(values[name])} ${name}`]))
  return bare([names.unit(piece.id), counter.full_name ?? '', formation, ...numbers, names.hex(piece.hex)].join(' | '))
}

/** How people call what counters belong to, in both languages. */
const NOUNS: Record<'division' | 'corps', RegExp> = { division: /^div(ision[ei]?)?\.?$/, corps: /^(corps|corpo)$/ }
type Belongs = [keyof typeof NOUNS, string]

/** What is looked for: words, and the divisions and corps that are named: `division 12`, `12ª divisione`, `div. 12`. */
function query(text: string): { words: string[]; belongs: Belongs[] } {
  const words = bare(text).replace(/[ªº°]/g, '').split(/\s+/).filter((word) => word && word !== "d'armata")
  const belongs: Belongs[] = []
  for (const what of ['division', 'corps'] as const) {
    const at = words.findIndex((word) => NOUNS[what].test(word))
    const number = at < 0 ? -1 : [at + 1, at - 1].findIndex((n) => /^(\d+[a-z]?|[ivxl]+|[a-z]{1,3})$/.test(words[n] ?? ''))
    if (number < 0) continue
    const [value] = words.splice(number ? at - 1 : at, 2).filter((word) => !NOUNS[what].test(word))
    belongs.push([what, value!])
  }
  return { words, belongs }
}

/** The counters on the map that have all the words that are looked for. */
export function find(text: string, pieces: Iterable<Piece>, names: Pick<Names, 'unit' | 'word' | 'hex'>): Piece[] {
  const { words, belongs } = query(text)
  if (!words.length && !belongs.length) return []
  const is = (piece: Piece): boolean => belongs.every(([what, value]) => bare(String(piece.values[what] ?? '')) === value)
  return [...pieces].filter((piece) => isHex(piece.hex) && piece.known && is(piece) && has(wordsOf(piece, names), words))
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
