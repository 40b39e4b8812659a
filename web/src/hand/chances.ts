/** What attacks promise, for the hexes that they are on: which are to be asked about, and the best of each in short. */

import { isHex } from '../lib/pieces'
import { chanceText, percent } from '../lib/odds'
import type { Names } from '../lib/names'
import type { Action, HexId, Offer, OddsSheet, UnitId } from '../lib/types'

/** So many attacks are weighed for one hex, and so many in all. */
const EACH = 4
const ALL = 48

interface First {
  first?: UnitId[]
  guns?: UnitId[]
}

/** The attacks to weigh, by target: of sets to begin with each with all its guns, of listed ones the first few. */
export function weighable(offer: Offer | null, odds: readonly string[]): [HexId, Action][] {
  const sets = Object.entries((offer as { targets?: Record<HexId, First> } | null)?.targets ?? {}).flatMap(([target, { first = [], guns = [] }]): [HexId, Action][] =>
    first.length && odds.includes('attack') ? [[target, { do: 'attack', target, units: first, ...(guns.length ? { guns } : {}) }]] : [],
  )
  const many = new Map<HexId, number>()
  const listed = (offer?.actions ?? []).flatMap((one): [HexId, Action][] => {
    const target = typeof one.target === 'string' && isHex(one.target) && odds.includes(one.do) ? one.target : ''
    const before = many.get(target) ?? 0
    many.set(target, before + 1)
    return target && before < EACH ? [[target, one]] : []
  })
  return [...sets, ...listed].slice(0, ALL)
}

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
