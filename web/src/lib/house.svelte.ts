/** What the server offers, who has logged in, and the links that people pass on. */

import * as api from './api'
import { keepLinks, keepTokens, linksOf } from './tokens'
import type { House, MatchInfo } from './types'

class Visit {
  /** Null until the server has told. */
  house = $state.raw<House | null>(null)
  account = $state<string | null>(null)
  /** The game of the lesson that somebody comes from to begin a match. */
  taught = $state('')

  async begin(): Promise<void> {
    const house = await api.house()
    if (house.accounts) this.account = await api.account()
    this.house = house
  }

  /** Can matches be played with people elsewhere? */
  get online(): boolean {
    return this.house !== null && !this.house.local
  }
}

export const visit = new Visit()

const NAME = 'fronte.name'

/** The name that was given last, or that of the account. */
export function givenName(): string {
  try {
    return localStorage.getItem(NAME) ?? visit.account ?? ''
  } catch {
    return visit.account ?? ''
  }
}

export function keepName(name: string): void {
  try {
    localStorage.setItem(NAME, name)
  } catch {
    // then it is asked again
  }
}

/** What is passed on to somebody: what follows # is sent to no server. */
export function linkTo(match: string, token: string): string {
  return `${visit.house?.public_url.replace(/\/$/, '') || location.origin}/#join/${match}/${token}`
}

/** Keep all that a new match opens. */
export function keepOpened(opened: api.Opened): void {
  keepTokens(opened.id, opened.tokens)
  keepLinks(opened.id, {
    ...(Object.keys(opened.watch ?? {}).length ? { watch: opened.watch } : {}),
    ...(Object.keys(opened.invitations ?? {}).length ? { invitations: opened.invitations } : {}),
    ...(opened.spectators ? { spectator: opened.spectators } : {}),
    ...(opened.owner ? { owner: opened.owner } : {}),
  })
}

/** Keep a link that opens a place by itself. */
export function keepPlace(match: MatchInfo, token: string): void {
  const seat = match.you ?? ''
  if (match.role === 'seat') keepTokens(match.id, { [seat]: token })
  else if (match.role === 'watch') keepLinks(match.id, { watch: { ...linksOf(match.id).watch, [seat]: token } })
  else if (match.role === 'spectator') keepLinks(match.id, { spectator: token })
  else if (match.role === 'owner') keepLinks(match.id, { owner: token })
}
