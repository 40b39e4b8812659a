/** A fight as scenes: what the events of a fight tell, beat by beat. It reads events and the view before them, and nothing else. */

import type { Force, Happening, HexId, UnitId } from '../lib/types'

/** Somebody strikes, fires, goes back or advances. */
export interface Arrow {
  path: HexId[]
  kind: 'attack' | 'fire' | 'back' | 'advance'
  /** Whose it is, where that is known. */
  force: Force
}

/** A word over a hex: what was lost there. */
export interface Mark {
  hex: HexId
  text: string
  tone: 'hurt' | 'gone' | 'held'
}

/** A counter that goes from hex to hex, or is taken off. Without an id it is not known who. */
export interface Trip {
  unit: UnitId
  path: HexId[]
  gone: boolean
}

/** The part of a printed table around the cell that counts. */
export interface Cells {
  /** The key of the table's name. */
  table: string
  heads: string[]
  rows: { head: string; cells: string[] }[]
  column: number
  row: number
}

/** Something that counts, with what it does: a key of the game's words. */
export interface Shift {
  key: string
  effect: string
}

export interface Beat {
  /** Another fight begins here. */
  opens: boolean
  kind: 'clash' | 'reveal' | 'odds' | 'dice' | 'cell' | 'outcome'
  ms: number
  /** What is told of it, in the words of the game. */
  text: string
  arrows: Arrow[]
  marks: Mark[]
  trips: Trip[]
  dice: number[]
  /** What is added to the dice. */
  added: number
  cells: Cells | null
  /** What it comes to, in large print: a ratio, a column. */
  sum: string
  /** What that is, where it is no ratio. */
  label: 'attack' | 'defence' | ''
  /** What it was thought to come to, where that is known and was another. */
  was: string
  shifts: Shift[]
  /** Who was seen for the first time. */
  units: UnitId[]
}

export interface Scene {
  /** Where the map goes. */
  hexes: HexId[]
  beats: Beat[]
}

/** What a script may look up besides the events: the printed tables, and who was seen where before them. */
export interface Lore {
  tables: Readonly<Record<string, Record<string, unknown>>>
  /** Where a unit was seen; empty if it was not. */
  where: (unit: UnitId) => HexId | ''
  force: (unit: UnitId) => Force
  /** What the column of the attack under way was thought to be; empty where nobody has looked. */
  foreseen: (target: HexId) => string
}

/** The events that came now, and those of the same fight before them. */
export type Script = (fresh: readonly Happening[], before: readonly Happening[], lore: Lore) => Scene | null

const LASTS: Record<Beat['kind'], number> = { clash: 650, reveal: 800, odds: 600, dice: 850, cell: 650, outcome: 850 }
/** However much is told of a fight, it is over by then; and no beat is shorter than can be seen. */
export const LONGEST = 3400
/** Of so many fights that come in together each has its time. */
export const FIGHTS = 3
const SHORTEST = 220

/** So long after its beginning the dice of a beat lie; however short it is, something of it is left then. */
export function restsAfter({ ms }: Pick<Beat, 'ms'>): number {
  return Math.min(480, Math.round(ms * 0.55))
}

export function beat(kind: Beat['kind'], text: string, more: Partial<Beat> = {}): Beat {
  return { opens: false, kind, ms: LASTS[kind], text, arrows: [], marks: [], trips: [], dice: [], added: 0, cells: null, sum: '', label: '', was: '', shifts: [], units: [], ...more }
}

/** The scene of these beats: those of which too many come are made shorter, and then fewer. */
export function scene(beats: Beat[], hexes: readonly HexId[]): Scene | null {
  if (!beats.length) return null
  const longest = LONGEST * Math.min(FIGHTS, Math.max(1, beats.filter(({ opens }) => opens).length))
  const most = Math.floor(longest / SHORTEST)
  const kept = beats.length > most ? [...beats.slice(0, most - 1), joined(beats.slice(most - 1))] : beats
  const all = kept.reduce((sum, one) => sum + one.ms, 0)
  const share = Math.min(1, longest / all)
  return { hexes: [...new Set(hexes.filter(Boolean))], beats: kept.map((one) => ({ ...one, ms: Math.max(SHORTEST, Math.round(one.ms * share)) })) }
}

/** Many beats as one: all that happens to the map, and the words of the last. */
function joined(beats: readonly Beat[]): Beat {
  const last = beats.at(-1)!
  return { ...last, kind: 'outcome', dice: [], cells: null, arrows: beats.flatMap((one) => one.arrows), marks: beats.flatMap((one) => one.marks), trips: beats.flatMap((one) => one.trips) }
}

/** How long a scene lasts, in milliseconds. */
export function length(one: Scene): number {
  return one.beats.reduce((sum, { ms }) => sum + ms, 0)
}

/** Where the fight of a beat lies, by what is drawn of it; where a scene tells of one fight alone, all of its hexes. */
export function groundOf({ hexes, beats }: Scene, at: number): HexId[] {
  if (beats.filter(({ opens }) => opens).length < 2) return hexes
  const first = Math.max(0, beats.slice(0, at + 1).findLastIndex(({ opens }) => opens))
  const next = beats.findIndex(({ opens }, i) => opens && i > first)
  const drawn = beats.slice(first, next < 0 ? undefined : next).flatMap(({ arrows, marks, trips }) => [...arrows, ...trips].flatMap(({ path }) => path).concat(marks.map(({ hex }) => hex)))
  return drawn.length ? [...new Set(drawn)] : hexes
}

/** Outcomes that come together are one beat. */
export function addOutcome(beats: Beat[], text: string, more: Partial<Pick<Beat, 'arrows' | 'marks' | 'trips'>>): void {
  const last = beats.at(-1)
  if (last?.kind === 'outcome') {
    if (text && !last.text.split('\n').includes(text)) last.text = last.text ? `${last.text}\n${text}` : text
    last.arrows.push(...(more.arrows ?? []))
    last.marks.push(...(more.marks ?? []))
    last.trips.push(...(more.trips ?? []))
  } else beats.push(beat('outcome', text, { arrows: [...(more.arrows ?? [])], marks: [...(more.marks ?? [])], trips: [...(more.trips ?? [])] }))
}

/** So many columns and rows of a table around the cell that counts. */
export function around(table: string, heads: readonly string[], rows: readonly { head: string; cells: readonly string[] }[], column: number, row: number, wide = 5, high = 3): Cells {
  const left = start(column, heads.length, wide)
  const top = start(row, rows.length, high)
  return {
    table,
    heads: heads.slice(left, left + wide),
    rows: rows.slice(top, top + high).map((one) => ({ head: one.head, cells: one.cells.slice(left, left + wide) })),
    column: column - left,
    row: row - top,
  }
}

function start(at: number, all: number, most: number): number {
  return Math.max(0, Math.min(at - Math.floor(most / 2), all - most))
}

// What events have in them

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [])
export const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0')
