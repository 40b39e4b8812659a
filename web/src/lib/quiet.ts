/** Which questions are routine: they wait in the drawer and leave the map where it is. */

import { isNothing, isOptional } from './actions'
import type { Action, Seat, Table } from './types'

/** Panels of small questions; those in which much is arranged keep their place beside the map. */
const SMALL = ['choose', 'subset', 'place', 'volturno.react', 'volturno.redirect']
const FEW = 4

/** Is what this seat is asked routine? It can be answered by a standing order, it is a window of the enemy's move, or it may be passed over and is not the business of the seat's own turn. */
export function isQuiet(table: Pick<Table, 'decision' | 'offer' | 'policies' | 'view'>, seat: Seat): boolean {
  const { decision, offer, policies, view } = table
  if (!decision || !offer || decision.seat !== seat || !SMALL.includes(decision.panel)) return false
  if (policies[decision.kind] || decision.whole) return true
  return isOptional(offer) && (view.stage.active !== seat || offer.actions.length <= FEW)
}

/** The answers that fit on a card: the one that does nothing, or that a standing order could give, and a few others. */
export function shortAnswers(table: Pick<Table, 'decision' | 'offer' | 'policies'>, most = 3): Action[] {
  const { decision, offer, policies } = table
  const whole = decision?.panel === 'subset' && offer?.free ? [{ do: offer.verb ?? '', [offer.field ?? 'units']: offer.pieces ?? [] }] : []
  const all = offer?.actions ?? []
  const idle = all.filter((one) => isNothing(offer, one))
  const none = idle.length ? idle : all.filter((one) => policies[decision?.kind ?? '']?.[one.do])
  const others = all.filter((one) => !none.includes(one))
  // of any pieces out of several the whole lot is the other plain answer
  const lot = whole.filter((one) => !isNothing(offer, one))
  const told = lot.length ? lot : others
  return told.length <= most ? [...told, ...none.slice(0, 1)] : none.slice(0, 1)
}
