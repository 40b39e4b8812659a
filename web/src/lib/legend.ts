/** The legend of the map: what lies in a hex, and what it is called. */

import { fieldsOf } from './faces'
import type { Names } from './names'
import type { Stack } from './pieces'
import type { Board, HexId, LaidOut, LegendKind, Sign, View } from './types'

type Rows = Record<string, unknown>

/** Is this printed in a row of the board? */
export function isIn({ column, value }: Pick<LegendKind, 'column' | 'value'>, row: object): boolean {
  const found = (row as Rows)[column]
  return value ? (found === true ? '1' : String(found ?? '')) === value : Boolean(found)
}

const known = new WeakMap<Board, Map<HexId, LegendKind[]>>()

/** By hex what is printed in it and on its hexsides, in the order of the legend. */
export function printed(board: Board): Map<HexId, LegendKind[]> {
  const before = known.get(board)
  if (before) return before
  const found = new Map<HexId, Set<LegendKind>>(board.hexes.map((row) => [row.hex, new Set(kindsIn(board, 'hex', row))]))
  for (const row of board.hexsides) {
    const kinds = kindsIn(board, 'side', row)
    for (const hex of [row.a, row.b]) for (const kind of kinds) found.get(hex)?.add(kind)
  }
  const order = new Map(board.look.legend.map((kind, i) => [kind, i]))
  const sorted = new Map([...found].map(([hex, kinds]) => [hex, [...kinds].sort((p, q) => (order.get(p) ?? 0) - (order.get(q) ?? 0))]))
  known.set(board, sorted)
  return sorted
}

function kindsIn(board: Board, of: LegendKind['of'], row: object): LegendKind[] {
  return board.look.legend.filter((kind) => kind.of === of && isIn(kind, row))
}

/** What a kind is called: in the legend's words, else in those of its own table. */
export function called(kind: LegendKind, names: Pick<Names, 'say' | 'has' | 'word'>): string {
  const key = kind.column === 'flag' ? 'flag' : kind.key
  const own = ['terrain', 'water', 'settlement'].find((table) => table === kind.column && names.has(table, kind.value))
  return own ? names.word(own, kind.value) : names.say('legend', key, { side: kind.value }) || kind.key
}

/** Signs in a hex or on its hexsides, each kind once. */
export function signsAt(view: View, hex: HexId): Sign[] {
  const here = (view.signs ?? []).filter((sign) => sign.at.split('/').includes(hex))
  return here.filter((sign, i) => here.findIndex((other) => other.kind === sign.kind) === i)
}

/** A marker that can lie on a counter: how it is drawn, what is written on it, and what it means. */
export interface Marker {
  laid: LaidOut
  written: string
  text: string
}

/** All markers that can lie over the edges of counters, each once. */
export function markers(names: Pick<Names, 'board' | 'has' | 'word' | 'value'>): Marker[] {
  const found = names.board.look.parts.flatMap((laid): Marker[] => {
    const { slot = '', mark, text = '', words } = laid.part
    if (!slot.startsWith('edge') || !laid.shape) return []
    if (mark) return names.has('mark', mark) ? [{ laid, written: text, text: names.word('mark', mark) }] : []
    const [field = ''] = fieldsOf(laid.part)
    const values = words ? Object.entries(words) : [['1', text.replace(/\{.*\}/, '1')] as const]
    return values.flatMap(([value, written]) => {
      const told = names.value(field, words ? value : Number(value))
      return told && told !== value ? [{ laid, written, text: told }] : []
    })
  })
  return found.filter((one, i) => found.findIndex((other) => other.text === one.text) === i)
}

/** The markers that lie on the counters of a stack, each once. */
export function markersOn(stack: Stack | undefined, names: Names): Marker[] {
  const found = new Map<string, Marker>()
  const all = markers(names)
  for (const { parts, marks, values } of stack?.pieces ?? []) {
    for (const { at, text } of parts) {
      const laid = names.board.look.parts[at]!
      const { mark } = laid.part
      const like = all.find((one) => (mark ? marks.includes(mark) && one.text === names.word('mark', mark) : one.laid === laid && one.written === text))
      const [field = ''] = fieldsOf(laid.part)
      if (like) found.set(like.text, like)
      else if (all.some((one) => one.laid === laid)) found.set(text, { laid, written: text, text: names.value(field, values[field] ?? text) })
    }
  }
  return [...found.values()]
}
