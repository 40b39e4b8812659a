/** The printed tables of a game as a player reads them: a name, heads, and rows of words and figures. */

import { signed } from './odds'

export interface Row {
  head: string
  cells: string[]
}

export interface Chart {
  /** The key of its name (`[tables]`), and of what is to be known besides (`[note]`). */
  name: string
  source: string
  /** What stands above the rows' heads, and above the columns; none where one column needs no head. */
  corner?: string
  heads: string[]
  rows: Row[]
}

/** What things are called, and numbers as people write them. */
export interface Wording {
  word: (table: string, key: string) => string
  has: (table: string, key: string) => boolean
  /** Movement points, or whatever else is counted in the smallest part of a point. */
  points: (parts: number) => string
}

export type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type Data = Readonly<Record<string, unknown>>

export const data = (value: unknown): Data => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Data) : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const nums = (value: unknown): number[] => list(value).map(Number)
export const source = (tables: Tables, name: string): string => String(tables[name]?.source ?? '')

/** A thing in the words that the tables have of their own, or the game has of it elsewhere. */
export function label(say: Wording, key: string, chart = ''): string {
  const own = `${chart}_${key}`
  if (chart && say.has('tables.row', own)) return say.word('tables.row', own)
  const where = ['tables.row', 'terrain', 'odds'].find((table) => say.has(table, key))
  return where ? say.word(where, key) : key.replaceAll('_', ' ')
}

/** One row for each number that is added, with its sign; a list has a row for each of its levels but those of nothing. */
export function shifts(say: Wording, values: Data): Row[] {
  return Object.entries(values).flatMap(([key, value]): Row[] => {
    if (Array.isArray(value)) return nums(value).flatMap((n, level) => (n ? [{ head: `${label(say, `${key}_level`)} ${level}`, cells: [signed(n)] }] : []))
    return typeof value === 'number' ? [{ head: label(say, key), cells: [signed(value)] }] : []
  })
}

const minus = (n: number): string => String(n).replace('-', '−')

/** Ranges that begin with these numbers: `≤2`, `3–4`, `≥5`. */
export function ranges(from: readonly number[], open = true): string[] {
  return from.map((low, i) => {
    const next = from[i + 1]
    if (next === undefined) return `≥${minus(low)}`
    if (i === 0 && open) return `≤${minus(next - 1)}`
    if (next - 1 === low) return minus(low)
    return low < 0 ? `${minus(low)}, ${minus(next - 1)}` : `${low}–${next - 1}`
  })
}

/** What a hex or a hexside costs by the kind of unit; −1 in the data is closed. */
export function costs(say: Wording, values: Data, added = false): Row[] {
  const cell = (parts: number): string => (parts === -1 ? '–' : parts < 0 ? say.word('tables.value', 'whole') : added ? (parts ? `+${say.points(parts)}` : '0') : say.points(parts))
  return Object.entries(values).flatMap(([key, value]) => (Array.isArray(value) ? [{ head: label(say, key), cells: nums(value).map(cell) }] : []))
}
