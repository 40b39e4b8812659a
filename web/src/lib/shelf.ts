/** The order of the list of matches: one's own move first, then the others', what machines play, then what is over; lessons and puzzles stand apart. */

import { LESSON, PUZZLE } from './lesson'
import type { MatchInfo, Seat } from './types'

export type Group = 'yours' | 'theirs' | 'watched' | 'ended' | 'learning' | 'archived'

export const isOver = (match: MatchInfo): boolean => match.result !== null || match.ended !== null

/** Does whoever looks at the list owe the decision? At a local table everybody who is a person sits here. */
export function isYours(match: MatchInfo, held: readonly Seat[], local: boolean): boolean {
  const owes = match.card?.owes
  if (!owes || isOver(match) || match.seats[owes] !== 'human') return false
  return local || held.includes(owes) || (match.role === 'seat' && match.you === owes)
}

export function groupOf(match: MatchInfo, held: readonly Seat[], local: boolean): Group {
  if (match.archived) return 'archived'
  if (match.name === LESSON || match.name === PUZZLE) return 'learning'
  if (isOver(match)) return 'ended'
  if (!Object.values(match.seats).includes('human')) return 'watched'
  return isYours(match, held, local) ? 'yours' : 'theirs'
}

/** All groups, each with what was played last first. */
export function shelved(matches: readonly MatchInfo[], heldOf: (match: string) => readonly Seat[], local: boolean): Record<Group, MatchInfo[]> {
  const found: Record<Group, MatchInfo[]> = { yours: [], theirs: [], watched: [], ended: [], learning: [], archived: [] }
  const sorted = [...matches].sort((a, b) => (a.changed < b.changed ? 1 : -1))
  for (const match of sorted) found[groupOf(match, heldOf(match.id), local)].push(match)
  return found
}

/** May this match be deleted from here? Not where somebody else holds a seat. */
export function canDelete(match: MatchInfo, held: readonly Seat[], owner: boolean, local: boolean): boolean {
  if (local) return true
  const taken = Object.entries(match.people).filter(([, person]) => person.state === 'held')
  return taken.length ? taken.every(([seat]) => held.includes(seat)) : owner
}
