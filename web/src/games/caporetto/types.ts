/** What the server tells of Caporetto alone. */

import type { Action, Choose, HexId, UnitId } from '../../lib/types'

export interface SetUp extends Choose {
  /** The places of a zone, and of every unit that may be put somewhere its zone. */
  zones: Record<string, HexId[]>
  units: Record<UnitId, string>
  /** For each mine or gas, by the hex printed on it, where it may be laid. */
  markers?: Record<HexId, HexId[]>
}

export interface Plan extends Choose {
  /** Each formation with the boxes of guns that it may have. */
  formations: Record<string, number[]>
  /** What can be paid; null: nothing has to be. */
  points: number | null
  companies?: UnitId[]
}

export interface Headquarters extends Choose {
  /** How many units of the formation it has in range from each hex. */
  commands: Record<HexId, number>
}

export interface Wave extends Choose {
  best: Action
}

export interface Losses extends Choose {
  best: Action
  /** How many steps each unit has. */
  steps: Record<UnitId, number>
}

/** A target: who reaches it and with how many factors there, and what all of them make together. */
export interface Aimed {
  factors?: Record<UnitId, number>
  column?: string
  /** Or another target of which they are true as well, but for what stands here. */
  like?: string
  /** Who reaches this one besides, or with another factor; and who does not. */
  more?: Record<UnitId, number> | null
  less?: UnitId[] | null
  /** Unless it depends on who is covered there. */
  shift?: number | null
  support?: number
}

/** A target with all that is true of it. */
export type Known = Aimed & Required<Pick<Aimed, 'factors' | 'column'>>

export interface Aims extends Choose {
  verb: string
  field: string
  targets: Record<string, Aimed>
  /** Of a group, how many points it may share among targets. */
  points?: Record<UnitId, number>
}
