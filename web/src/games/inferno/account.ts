/** How objectives changed hands and who was lost, turn by turn. */

import type { Happening, HexId, Seat, UnitId } from '../../lib/types'

export interface Turn {
  turn: number
  taken: { hex: HexId; side: Seat; vp: number }[]
  lost: Record<Seat, UnitId[]>
}

/** The turns in which something of it happened. What was taken and lost again in one turn is told twice, or nobody would know from whom it was taken back. */
export function course(log: readonly Happening[], objectives: Record<HexId, number>, sideOf: (unit: UnitId) => Seat): Turn[] {
  const found: Turn[] = []
  for (const { kind, data } of log) {
    const now = found.at(-1)
    if (kind === 'player_turn' && now?.turn !== data.turn) found.push({ turn: Number(data.turn), taken: [], lost: {} })
    else if (!now) continue
    else if (kind === 'taken' && objectives[String(data.hex)]) {
      const hex = String(data.hex)
      now.taken = [...now.taken, { hex, side: String(data.side), vp: objectives[hex] ?? 0 }]
    } else if (kind === 'eliminated') {
      const unit = String(data.unit)
      const side = sideOf(unit)
      if (side) now.lost[side] = [...(now.lost[side] ?? []), unit]
    }
  }
  return found.filter((one) => one.taken.length || Object.keys(one.lost).length)
}
