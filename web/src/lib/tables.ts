/** The smaller printed tables as rows of words and figures. */

import type { Row } from './charts'
import { signed } from './odds'

export interface SmallTable {
  /** Heads of the columns after the first; empty where one column needs none. */
  heads: string[]
  rows: Row[]
}

/** What things are called: rows, columns and values of the tables. */
export interface Wording {
  row: (key: string) => string
  column: (key: string) => string
  value: (key: string) => string
  points: (parts: number) => string
}

type Data = Record<string, unknown>

const APART = new Set(['source', 'note'])
const COLUMNS = ['mp', 'stack', 'attack', 'supply', 'zoc']
const SIGNED = new Set(['attack', 'lrt_drm', 'eliminated_steps', 'trench_shift', 'flank_shift'])

const isData = (value: unknown): value is Data => value !== null && typeof value === 'object' && !Array.isArray(value)

/** A figure as people write it: movement points in whole points, modifiers with their sign. */
function figure(kind: string, value: unknown, say: Wording): string {
  if (typeof value === 'number') return kind === 'mp' ? say.points(value) : SIGNED.has(kind) ? signed(value) : String(value)
  return value === undefined ? '' : say.value(String(value))
}

/** The row of a table of ranges that a number falls into; -1 where there is none. */
export function bandOf(list: unknown, value: number): number {
  return Array.isArray(list) ? (list as [number, number][]).findLastIndex(([from]) => value >= from) : -1
}

/** Ranges: from this number on, that much. */
function bands(list: unknown): SmallTable['rows'] {
  return (list as [number, number][]).map(([from, gives]) => ({ head: `≥ ${from}`, cells: [signed(gives)] }))
}

export function smallTable(name: string, table: Data, say: Wording): SmallTable {
  const entries = Object.entries(table).filter(([key]) => !APART.has(key))
  if (Array.isArray(table.bands)) return { heads: [], rows: bands(table.bands) }
  const wide = name === 'tec'
  const used = wide ? COLUMNS.filter((column) => entries.some(([, value]) => isData(value) && column in value)) : []
  const rows = entries.flatMap(([key, value]): SmallTable['rows'] => {
    if (!isData(value)) return [{ head: say.row(key), cells: [figure(SIGNED.has(key) ? key : name, value, say)] }]
    if (wide) return [{ head: say.row(key), cells: used.map((column) => figure(column, value[column], say)) }]
    return Object.entries(value).map(([inner, one]) => ({ head: say.row(inner), cells: [figure(name, one, say)] }))
  })
  return { heads: used.map(say.column), rows }
}
