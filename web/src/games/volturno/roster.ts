/** Who is listed below the actions of a formation. */

import { unitOf } from '../../lib/actions'
import { isHex } from '../../lib/pieces'
import type { Action, UnitId } from '../../lib/types'

/** Counters under one heading, whose words are `roster.KEY`. */
export interface Listed<P> {
  key: 'waiting' | 'onward' | 'reserve'
  pieces: P[]
}

interface Standing {
  hex: string
  marks: string[]
}

/** Those who have still to act; who has acted (7.2) and may go on with what it began; those of the reserve that may be
 * taken along. */
export function listed<P extends Standing>(moving: Iterable<UnitId>, actions: readonly Action[], pieces: ReadonlyMap<UnitId, P>): Listed<P>[] {
  const callable = new Set(actions.filter((one) => one.do === 'call').map(unitOf))
  const able = new Set([...moving, ...actions.map(unitOf), ...callable])
  const groups: Listed<P>[] = [{ key: 'waiting', pieces: [] }, { key: 'onward', pieces: [] }, { key: 'reserve', pieces: [] }]
  for (const id of able) {
    const piece = pieces.get(id)
    if (!piece || !isHex(piece.hex)) continue
    const key = callable.has(id) ? 'reserve' : piece.marks.includes('acted') ? 'onward' : 'waiting'
    groups.find((group) => group.key === key)?.pieces.push(piece)
  }
  return groups.filter((group) => group.pieces.length)
}
