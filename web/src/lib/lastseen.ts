/** Enemies that a seat has known and does not see any more: where, and on which turn. Only what its own views have told is remembered. */

import { isHex } from './pieces'
import type { HexId, Piece as Seen, UnitId, View } from './types'

/** An enemy as it was seen last. */
export interface Sighting {
  turn: number
  seen: Seen
}

export type Memory = Readonly<Record<UnitId, Sighting>>

const enemies = (view: View): Seen[] => (view.pieces ?? []).filter((piece) => !piece.mine)

/** What is remembered after a view: whoever is known in it as he is now, the others as before, if they can still be there. */
export function remember(before: Memory, view: View): Memory {
  const { turn } = view.stage
  const found: Record<UnitId, Sighting> = {}
  if (!view.seat) return found
  // every stack shows at least its top counter or a back: where no enemy stands it is known that he has gone
  const theirs = new Set(enemies(view).map((piece) => piece.at))
  for (const [id, sighting] of Object.entries(before)) {
    if (theirs.has(sighting.seen.at) && sighting.turn <= turn) found[id] = sighting // what lies ahead was taken back
  }
  for (const { id, force, at, face, facing } of enemies(view)) {
    if (id === undefined) continue
    if (isHex(at)) found[id] = { turn, seen: { force, at, id, ...(face === undefined ? {} : { face }), ...(facing === undefined ? {} : { facing }) } }
    else delete found[id]
  }
  return found
}

/** Those who are out of sight, by the hex in which they were seen last, the latest first. */
export function outOfSight(memory: Memory, view: View): Map<HexId, Sighting[]> {
  const known = new Set((view.pieces ?? []).map((piece) => piece.id))
  const found = new Map<HexId, Sighting[]>()
  for (const sighting of Object.values(memory)) {
    const { id, at } = sighting.seen
    if (!known.has(id)) found.set(at, [...(found.get(at) ?? []), sighting].sort((p, q) => q.turn - p.turn))
  }
  return found
}

const KEY = 'fronte.lastseen.'
/** So many matches are remembered by this browser. */
const MOST = 30

/** What this browser remembers of a match for a seat. */
export function recall(match: string, seat: string): Memory {
  try {
    return (JSON.parse(localStorage.getItem(`${KEY}${match}.${seat}`) ?? 'null') as { known: Memory } | null)?.known ?? {}
  } catch {
    return {}
  }
}

export function keep(match: string, seat: string, known: Memory): void {
  try {
    localStorage.setItem(`${KEY}${match}.${seat}`, JSON.stringify({ when: Date.now(), known }))
    const all = Object.keys(localStorage).filter((key) => key.startsWith(KEY))
    if (all.length <= MOST) return
    const when = (key: string): number => (JSON.parse(localStorage.getItem(key) ?? '{}') as { when?: number }).when ?? 0
    for (const key of all.sort((p, q) => when(p) - when(q)).slice(0, all.length - MOST)) localStorage.removeItem(key)
  } catch {
    // then the page remembers as long as it is open
  }
}
