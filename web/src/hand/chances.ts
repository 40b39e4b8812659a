/** What attacks promise, for the hexes that they are on: which are to be asked about, and the best of each in short. */

import { unitOf } from '../lib/actions'
import { isHex } from '../lib/pieces'
import { chanceText, percent } from '../lib/odds'
import type { Names } from '../lib/names'
import type { Action, HexId, Offer, OddsSheet, UnitId } from '../lib/types'

/** So many attacks are weighed for one hex, and so many in all. */
const EACH = 6
const ALL = 72

interface First {
  first?: UnitId[]
  guns?: UnitId[]
}

/** The attacks to weigh, by target: of sets to begin with each with all its guns, of listed ones a few of whom `figure` says that they are the strongest, from wherever they can. */
export function weighable(offer: Offer | null, odds: readonly string[], figure: (unit: UnitId) => number = () => 0): [HexId, Action][] {
  const sets = Object.entries((offer as { targets?: Record<HexId, First> } | null)?.targets ?? {}).flatMap(([target, { first = [], guns = [] }]): [HexId, Action][] =>
    first.length && odds.includes('attack') ? [[target, { do: 'attack', target, units: first, ...(guns.length ? { guns } : {}) }]] : [],
  )
  const many = new Map<HexId, Action[]>()
  for (const one of offer?.actions ?? []) {
    const target = typeof one.target === 'string' && isHex(one.target) && odds.includes(one.do) ? one.target : ''
    if (target) many.set(target, [...(many.get(target) ?? []), one])
  }
  const listed = [...many].flatMap(([target, all]) =>
    all.toSorted((a, b) => figure(unitOf(b)) - figure(unitOf(a))).slice(0, EACH).map((one): [HexId, Action] => [target, one]),
  )
  return [...sets, ...listed].slice(0, ALL)
}

/** The first number that a counter shows, which is its strength in every game. */
export const figureOf = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0)

/** What is asked about in one question: as many as a server answers at once. */
const AT_ONCE = 8
export const packs = <T>(all: readonly T[]): T[][] => Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => all.slice(AT_ONCE * i, AT_ONCE * (i + 1)))

export interface Promised {
  text: string
  /** The greater the better. */
  merit: number
}

/** What a sheet promises, in a few characters: the column of the table where the game is fought by columns, else a chance. */
export function promised(names: Pick<Names, 'say' | 'word'>, action: Action, sheet: OddsSheet): Promised | null {
  if (!sheet.of) return null
  const counts = sheet.rows[0]?.counts ?? []
  if (action.do === 'attack') {
    const column = sheet.facts.find((fact) => fact.effect)?.effect
    return column ? { text: column, merit: 0 } : null
  }
  const said = /[<>]?(\d+)%/.exec(chanceText(names, action, sheet))
  if (said) return { text: said[0], merit: Number(said[1]) }
  const won = sheet.rows[0]?.what === 'victory' && counts.length > 2 ? counts.slice(2) : counts.slice(1)
  const share = won.reduce((sum, n) => sum + n, 0) / sheet.of
  return { text: percent(share), merit: 100 * share }
}
