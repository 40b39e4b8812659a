/** What the server tells of Volturno alone. */

import type { Choose, HexId, UnitId } from '../../lib/types'

/** How a formation stands, for its owner. */
export interface Roster {
  formation: string
  /** The highest die that activates it. */
  need: number
  /** A six leaves it where it is on this turn. */
  stays: boolean
  orders: number
  /** Within the radius of the commander in chief. */
  chief: boolean
  morale: number
  units: number
  state: string
  row: string
  markers: number
  allowed: number
  left: UnitId[]
  acted: UnitId[]
  out: UnitId[]
}

export interface SetUpOffer extends Choose {
  zones: Record<UnitId, HexId[]>
}
