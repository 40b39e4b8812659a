/** Who is about to attack in a reaction window: what the marker where he stands says (7.1). */

import { neighbours } from '../../lib/geometry'
import type { Grid, HexId, Table } from '../../lib/types'

/** An attack that was declared: of this kind, on this hex. */
export interface Aimed {
  kind: string
  target: HexId
}

/** Attacks on hexes with units of one's own that go on if nobody reacts. */
export function aimed({ decision, view }: Pick<Table, 'decision' | 'view'>, grid: Grid): Aimed[] {
  const about = decision?.about ?? {}
  if (about.trigger === 'fire') return []
  const from = about.trigger === 'leave' ? about.from : about.hex
  const mine = new Set((view.pieces ?? []).filter((piece) => piece.mine).map(({ at }) => at))
  return (view.signs ?? []).flatMap(({ kind, at, facing }) => {
    const target = facing === undefined ? '' : (neighbours(grid, at)[facing] ?? '')
    return at === from && mine.has(target) ? [{ kind, target }] : []
  })
}
