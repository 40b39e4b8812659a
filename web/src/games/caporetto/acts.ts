/** With which formation a counter acts: its own, Rommel's, or that to which it is attached (7.10, 21.6). */

import type { UnitId, View } from '../../lib/types'

/** The formation that is made of companies, and printed on none of them. */
const ROMMEL = 'de-rommel'

interface Told {
  marks?: { rommel?: UnitId[] }
  attachments?: Record<string, UnitId[]>
}

export function actsWith(view: Pick<View, 'family'>): (piece: { id: UnitId; values: Readonly<Record<string, unknown>> }) => string {
  const { marks = {}, attachments = {} } = (view.family ?? {}) as Told
  const other = new Map<UnitId, string>([
    ...Object.entries(attachments).flatMap(([formation, units]) => units.map((id): [UnitId, string] => [id, formation])),
    ...(marks.rommel ?? []).map((id): [UnitId, string] => [id, ROMMEL]),
  ])
  return ({ id, values }) => other.get(id) ?? String(values.formation ?? '')
}
