/** Who fires at what: factors, columns and odds of the printed chart, and good ways to aim. */

import type { UnitId } from '../../lib/types'
import type { Aimed, Known } from './types'

/** The fire chart of the board's tables. */
export interface Chart {
  columns: string[]
  from: number[]
  results: string[][]
  again: number
}

/** By unit its targets; of a group the points that each of them gets, of all others nothing. */
export type Given = Record<UnitId, Record<string, number>>
type Points = Record<UnitId, number>

function isKnown(told: Aimed): told is Known {
  return told.factors !== undefined && told.column !== undefined
}

/** All targets with what is true of them; of those that are like another what is true of that one, but for what they say themselves. */
export function known(targets: Record<string, Aimed>): Record<string, Known> {
  const found: Record<string, Known> = {}
  for (const target of Object.keys(targets)) {
    const way = [target]
    for (let next = targets[target]?.like; next && !found[next] && !way.includes(next); next = targets[next]?.like) way.push(next)
    for (const one of way.reverse()) {
      const told = targets[one]
      const whole = told?.like ? found[told.like] && alike(found[told.like]!, told) : told
      if (whole && isKnown(whole)) found[one] = whole
    }
  }
  return found
}

function alike(other: Known, { more, less, column }: Aimed): Known {
  if (!more && !less && column === undefined) return other
  const factors = { ...other.factors, ...more }
  for (const unit of less ?? []) delete factors[unit]
  return { ...other, factors, column: column ?? other.column }
}

/** How much of its factor a unit gives to a target. */
function part(given: Given, unit: UnitId, target: string, points: Points): number {
  const told = given[unit]?.[target]
  if (told === undefined) return 0
  const whole = points[unit]
  return whole ? Math.min(1, told / whole) : 1
}

/** The factors that fall on a target. */
export function totalOf(target: string, aimed: Known, given: Given, points: Points = {}): number {
  const fired = Object.entries(aimed.factors).reduce((sum, [unit, factor]) => sum + factor * part(given, unit, target, points), 0)
  return fired + (aimed.support ?? 0)
}

/** The column of so many factors: -1 left of the chart. */
export function columnOf(total: number, { from }: Pick<Chart, 'from'>): number {
  return from.filter((low) => total >= low - 1e-9).length - 1
}

export interface Chances {
  /** Of those who are hit: disorganised, losing a step, put out of command. */
  dp: number
  step: number
  stopped: number
}

/** The exact shares of what a column brings; a star is a point on a second die up to `again`. */
export function chances(column: number, { columns, results, again }: Chart): Chances {
  const found = { dp: 0, step: 0, stopped: 0 }
  if (column < 0) return found
  for (const row of results) {
    const cell = row[Math.min(column, columns.length - 1)] ?? '-'
    if (cell === '*') found.dp += again / 6
    else if (cell.startsWith('D')) found.dp += 1
    if (cell.includes('/')) found.step += 1
    if (/[ST]$/.test(cell)) found.stopped += 1 // 12.1.5: who takes a T is suppressed too
  }
  return { dp: found.dp / results.length, step: found.step / results.length, stopped: found.stopped / results.length }
}

/** Those who reach a target and have nothing to do, the greatest factor there first; who reaches few other targets before who reaches many. */
export function idle(target: string, targets: Record<string, Known>, given: Given): UnitId[] {
  const factors = targets[target]?.factors ?? {}
  const others = (unit: UnitId): number => Object.values(targets).filter((one) => unit in one.factors).length
  return Object.keys(factors)
    .filter((unit) => !Object.keys(given[unit] ?? {}).length)
    .sort((a, b) => (factors[b] ?? 0) - (factors[a] ?? 0) || others(a) - others(b) || (a < b ? -1 : 1))
}

const aimAt = (given: Given, unit: UnitId, target: string, points: Points): Given => ({ ...given, [unit]: { [target]: points[unit] ?? 0 } })

/** More fire for a target: the best of those who have nothing to do, until the next column is reached. All of them if it cannot be. */
export function better(target: string, targets: Record<string, Known>, given: Given, chart: Pick<Chart, 'from'>, points: Points = {}): Given {
  const aimed = targets[target]
  if (!aimed) return given
  const before = columnOf(totalOf(target, aimed, given, points), chart)
  let next = given
  for (const unit of idle(target, targets, given)) {
    next = aimAt(next, unit, target, points)
    if (columnOf(totalOf(target, aimed, next, points), chart) > before) return next
  }
  return before < 0 || next === given ? given : next
}

/** What a way to fire promises: points of disorganisation, and steps twice as much. */
function worthOf(given: Given, targets: Record<string, Known>, chart: Chart, points: Points): number {
  return Object.entries(targets).reduce((sum, [target, aimed]) => {
    if (!Object.values(given).some((shares) => target in shares)) return sum
    const { dp, step } = chances(shifted(columnOf(totalOf(target, aimed, given, points), chart), aimed), chart)
    return sum + dp + 2 * step
  }, 0)
}

/** A column with the shift of its target; left of the chart there is none. */
export function shifted(column: number, { shift }: Pick<Known, 'shift'>): number {
  return column < 0 ? column : column + (shift ?? 0)
}

/** A sensible way to fire with all: the target that promises most first, with all that it takes for the best column it can have, then the next with those who are left; or spread, where that promises more. */
export function sensible(targets: Record<string, Known>, chart: Chart, points: Points = {}, most = Infinity): Given {
  let given: Given = {}
  const left = new Set(Object.keys(targets))
  for (let n = 0; n < most && left.size; n += 1) {
    let best: { target: string; given: Given; worth: number } | null = null
    const before = worthOf(given, targets, chart, points)
    for (const target of left) {
      const found = atMost(target, targets, given, chart, points)
      const worth = found ? worthOf(found, targets, chart, points) - before : 0
      if (found && worth > 0 && (!best || worth > best.worth)) best = { target, given: found, worth }
    }
    if (!best) break
    given = best.given
    left.delete(best.target)
  }
  return most === Infinity ? improved(given, targets, chart, points) : given
}

/** One after another is given another target as long as that promises more. */
function improved(given: Given, targets: Record<string, Known>, chart: Chart, points: Points): Given {
  const units = [...new Set(Object.values(targets).flatMap((one) => Object.keys(one.factors)))].sort()
  let best = worthOf(given, targets, chart, points)
  for (let round = 0; round < 4; round += 1) {
    const before = best
    for (const unit of units) {
      for (const target of Object.keys(targets)) {
        if (!(unit in (targets[target]?.factors ?? {}))) continue
        const next = aimAt(given, unit, target, points)
        const worth = worthOf(next, targets, chart, points)
        if (worth > best + 1e-9) [given, best] = [next, worth]
      }
    }
    if (best === before) break
  }
  return given
}

/** All that it takes for the best column a target can have with those who are left, and nobody who changes nothing. */
function atMost(target: string, targets: Record<string, Known>, given: Given, chart: Chart, points: Points): Given | null {
  const aimed = targets[target]
  if (!aimed) return null
  const free = idle(target, targets, given)
  const whole = free.reduce((next, unit) => aimAt(next, unit, target, points), given)
  const column = columnOf(totalOf(target, aimed, whole, points), chart)
  if (!free.length || column < 0) return null
  let found = whole
  for (const unit of [...free].reverse()) {
    const { [unit]: _dropped, ...without } = found
    if (columnOf(totalOf(target, aimed, without, points), chart) === column) found = without
  }
  return found
}

/** The pairs of an answer: a group that does not give all it has to one target says how many points. */
export function pairsOf(given: Given, points: Points = {}): [UnitId, string][] {
  return Object.entries(given).flatMap(([unit, shares]) => {
    const whole = points[unit]
    return Object.entries(shares).flatMap(([target, n]): [UnitId, string][] => {
      if (!whole) return [[unit, target]]
      if (n <= 0) return []
      return [[unit, n >= whole ? target : `${target}:${n}`]]
    })
  })
}

/** The hex of a target, and whether the guns in place there are meant. */
export function placeOf(target: string): { hex: string; battery: boolean } {
  return { hex: target.replace(/b$/, ''), battery: target.endsWith('b') }
}
