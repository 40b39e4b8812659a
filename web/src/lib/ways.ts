/** Ways over the map: the server sends a tree of hexes, each with the one before it; a way is found when it is asked for. */

import type { HexId, Mover, Offer, Reached, Table, UnitId } from './types'

/** As it is sent: `before` is a place in the list, -1 where the piece stands; `left` is -1 where it can only pass. */
export interface Ways {
  hexes: HexId[]
  before: number[]
  left: number[]
}

export interface SentMover {
  left: number
  ways?: Ways
  reach?: Record<HexId, Reached>
}

/** A hex in reach, whose way is looked up when somebody wants it. */
function found({ hexes, before, left }: Ways, end: number): Reached {
  return {
    left: left[end] ?? 0,
    get path() {
      const way: HexId[] = []
      for (let at = end; at >= 0; at = before[at] ?? -1) way.push(hexes[at] ?? '')
      return way.reverse()
    },
  }
}

const known = new WeakMap<SentMover, Mover>()

/** A piece with where it can go; one that was sent as before is the very same as before. */
export function mover(sent: SentMover): Mover {
  const { ways, reach, ...rest } = sent
  if (!ways) return { ...rest, reach: reach ?? {} }
  const before = known.get(sent)
  if (before) return before
  const ends = ways.hexes.flatMap((hex, at) => ((ways.left[at] ?? -1) < 0 ? [] : [[hex, found(ways, at)] as const]))
  const one = { ...rest, reach: Object.fromEntries(ends) }
  known.set(sent, one)
  return one
}

/** A table as it is used, from one as it is sent. */
export function opened(sent: Table): Table {
  const units = sent.offer?.units as Record<UnitId, SentMover> | undefined
  if (!units) return sent
  const offer: Offer = { ...(sent.offer as Offer), units: Object.fromEntries(Object.entries(units).map(([id, one]) => [id, mover(one)])) }
  return { ...sent, offer }
}
