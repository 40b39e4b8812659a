/** The planning sheet: formations by corps and division, and what a plan costs. */

import type { CounterRow } from '../../lib/types'

export interface Line {
  formation: string
  corps: string
  division: string
  initiative: number
  units: number
  strength: number
  boxes: number[]
}

export interface Corps {
  corps: string
  lines: Line[]
}

export interface Prices {
  formation: number
  guns_each: number
}

/** By formation the box of guns that was chosen; who is not there does not act. */
export type Chosen = Record<string, number>

/** What a formation costs with so many guns. */
export function priceOf(guns: number, { formation, guns_each }: Prices): number {
  return formation + Math.ceil(guns / guns_each)
}

export function costOf(chosen: Chosen, prices: Prices): number {
  return Object.values(chosen).reduce((sum, guns) => sum + priceOf(guns, prices), 0)
}

/** Their counters on the map, by formation: how many, and their strength. */
type Standing = ReadonlyMap<string, { units: number; strength: number }>

/** The formations of an offer, as they stand in the order of battle. */
export function sheet(formations: Record<string, number[]>, counters: Iterable<CounterRow>, standing: Standing): Corps[] {
  const found = new Map<string, Line[]>()
  for (const row of counters) {
    const formation = String(row.formation ?? '')
    if (String(row.class ?? '') !== 'hq' || !(formation in formations)) continue
    const corps = String(row.corps ?? '')
    const line = { formation, corps, division: String(row.division ?? ''), initiative: Number(row.initiative ?? 0), boxes: formations[formation] ?? [], ...(standing.get(formation) ?? { units: 0, strength: 0 }) }
    found.set(corps, [...(found.get(corps) ?? []), line])
  }
  return [...found].map(([corps, lines]) => ({ corps, lines: [...lines].sort((a, b) => a.division.localeCompare(b.division, undefined, { numeric: true })) }))
}

/** As many formations as can be paid, without guns, the strongest first; where nothing is paid, all of them. */
export function all(lines: readonly Line[], points: number | null, prices: Prices): Chosen {
  const chosen: Chosen = {}
  for (const line of [...lines].sort((a, b) => b.strength - a.strength)) {
    const guns = points === null ? Math.max(0, ...line.boxes) : 0
    if (points === null || costOf({ ...chosen, [line.formation]: guns }, prices) <= points) chosen[line.formation] = guns
  }
  return chosen
}
