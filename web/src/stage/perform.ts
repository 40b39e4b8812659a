/** From a table that has come in to the stage: the script of the family, told from the events and what was seen before them. */

import { FAMILIES } from '../games'
import type { Names } from '../lib/names'
import { isHex } from '../lib/pieces'
import type { Happening, HexId, UnitId, View } from '../lib/types'
import type { Lore } from './script'
import { isWanted, stage } from './stage.svelte'

/** How large a fight is shown at least: so much of a hex that is 96 high. */
const LARGE = 0.7

/** Whom a view names, and where. */
function places(view: View | null): Map<UnitId, HexId> {
  return new Map((view?.pieces ?? []).flatMap(({ id, at }): [UnitId, HexId][] => (id !== undefined && isHex(at) ? [[id, at]] : [])))
}

/** Show what there is to show of these events; `before` is what the seat saw of the map until they came, if it saw it, `owner` the table. */
export function perform(names: Names, fresh: readonly Happening[], earlier: readonly Happening[], before: View | null, now: View, owner: object): void {
  const script = FAMILIES[names.board.family]?.script
  const seen = places(before ?? now)
  const lore: Lore = {
    tables: names.board.tables,
    where: (unit) => seen.get(unit) ?? '',
    force: (unit) => names.counters.get(unit)?.side ?? '',
    foreseen: (target) => (stage.foreseen.target === target ? stage.foreseen.column : ''),
  }
  const found = script && fresh.length && isWanted() ? script(fresh, earlier, lore) : null
  if (found) stage.play(found, before, LARGE, owner)
  else stage.end()
}

/** What came in by these events, after what had been told. */
export function earlierThan(log: readonly Happening[], fresh: readonly Happening[]): Happening[] {
  const first = fresh[0]
  return first ? log.filter((event) => event.line < first.line) : [...log]
}
