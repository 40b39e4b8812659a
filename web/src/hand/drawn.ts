/** Arrows and notes that somebody draws on the map for himself: kept in this browser, for one match and one seat. */

import type { Point } from '../lib/geometry'
import { isHex } from '../lib/pieces'
import type { HexId } from '../lib/types'

export const INKS = ['#b3261e', '#0b4a8f', '#1d1a16'] as const
const MOST_ARROWS = 120
const MOST_NOTES = 120
const LONGEST_WAY = 60
export const LONGEST_NOTE = 120

export interface Arrow {
  way: HexId[]
  ink: number
}

export interface Drawn {
  arrows: Arrow[]
  notes: Record<HexId, string>
}

export const nothing = (): Drawn => ({ arrows: [], notes: {} })

/** What was kept, as far as it can be: whatever is not an arrow or a note is left out. */
export function readDrawn(text: string | null): Drawn {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? 'null')
  } catch {
    return nothing()
  }
  const { arrows, notes } = (kept ?? {}) as { arrows?: unknown; notes?: unknown }
  const isWay = (way: unknown): way is HexId[] => Array.isArray(way) && way.length > 1 && way.length <= LONGEST_WAY && way.every((hex) => typeof hex === 'string' && isHex(hex))
  const fine = (Array.isArray(arrows) ? arrows : []).flatMap((one: Partial<Arrow> | null): Arrow[] => (isWay(one?.way) ? [{ way: one.way, ink: one.ink !== undefined && one.ink in INKS ? one.ink : 0 }] : []))
  const said = Object.entries(notes && typeof notes === 'object' ? notes : {}).filter(([hex, note]) => isHex(hex) && typeof note === 'string' && note) as [HexId, string][]
  return { arrows: fine.slice(-MOST_ARROWS), notes: Object.fromEntries(said.slice(-MOST_NOTES).map(([hex, note]) => [hex, note.slice(0, LONGEST_NOTE)])) }
}

/** One arrow more; the oldest goes where there are too many. */
export function withArrow(drawn: Drawn, way: readonly HexId[], ink: number): Drawn {
  return way.length < 2 ? drawn : { ...drawn, arrows: [...drawn.arrows, { way: way.slice(0, LONGEST_WAY), ink }].slice(-MOST_ARROWS) }
}

/** A note on a hex; without a text it goes. */
export function withNote(drawn: Drawn, hex: HexId, text: string): Drawn {
  const { [hex]: _before, ...others } = drawn.notes
  const said = text.trim().slice(0, LONGEST_NOTE)
  return { ...drawn, notes: Object.fromEntries(Object.entries(said ? { ...others, [hex]: said } : others).slice(-MOST_NOTES)) }
}

/** Without what lies on a hex: its note, else the last arrow that crosses it. */
export function without(drawn: Drawn, hex: HexId): Drawn {
  if (drawn.notes[hex] !== undefined) return withNote(drawn, hex, '')
  const last = drawn.arrows.findLastIndex((one) => one.way.includes(hex))
  return last < 0 ? drawn : { ...drawn, arrows: drawn.arrows.filter((_, at) => at !== last) }
}

/** A way as it is drawn by hand: rounded, through the middles between its points. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  const bends = rest.slice(0, -1).map((p, i) => {
    const next = rest[i + 1] ?? last
    const end = i === rest.length - 2 ? last : [(p[0] + next[0]) / 2, (p[1] + next[1]) / 2]
    return `Q${p[0]},${p[1]} ${end[0]},${end[1]}`
  })
  return `M${first[0]},${first[1]}${bends.length ? bends.join('') : `L${last[0]},${last[1]}`}`
}
