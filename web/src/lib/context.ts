/** What every part of the table needs: the match, its names, and what lies on the map now. */

import { getContext, setContext } from 'svelte'
import type { Sighting } from './lastseen'
import type { Names } from './names'
import type { Piece, Stack } from './pieces'
import type { Session } from './session.svelte'
import type { HexId, Table, UnitId } from './types'

export interface Here {
  readonly session: Session
  readonly names: Names
  /** The table that is shown: the present one, or an earlier one in a replay. */
  readonly table: Table
  readonly pieces: Map<UnitId, Piece>
  readonly stacks: Stack[]
  /** Enemies out of sight, by the hex in which they were seen last. */
  readonly lost: Map<HexId, Sighting[]>
}

const KEY = Symbol('table')

export function provide(here: Here): void {
  setContext(KEY, here)
}

export function here(): Here {
  return getContext<Here>(KEY)
}
