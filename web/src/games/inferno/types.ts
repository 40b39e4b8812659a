/** The offers of the Inferno games' own panels (games/inferno/panel.py). */

import type { Choose, HexId, UnitId } from '../../lib/types'

/** A hex that can be attacked: by whom, with which guns, and a good set to begin with. */
export interface Target {
  units: UnitId[]
  guns: UnitId[]
  first: UnitId[]
  /** All guns, where to fire costs them nothing. */
  first_guns: UnitId[]
  steps_per_hex: number
}

/** Preparing an attack. */
export interface Attack extends Choose {
  targets: Record<HexId, Target>
}
