/** What this browser puts into the dice (docs/dice.md): a random word for each of its seats, under seal until the others have theirs in. */

import type { MatchInfo, Pledge, Seat } from './types'

const KEY = 'fronte.words'

export interface Contribution {
  word?: string
  seal?: string
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export function newWord(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)))
}

/** The seal of a word; null where the browser cannot make one (a page that did not come by https). */
export async function sealOf(word: string): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (!subtle) return null
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(`fronte word${word}`))))
}

function words(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** Words are kept with what the house was bound to: one for a house that was put aside is never opened. */
const keyOf = (match: string, house: string, seat: Seat): string => `${match}:${house}:${seat}`

export const wordOf = (match: string, house: string, seat: Seat): string | undefined => words()[keyOf(match, house, seat)]

export function keepWord(match: string, house: string, seats: readonly Seat[], word: string): void {
  try {
    const more = Object.fromEntries(seats.map((seat) => [keyOf(match, house, seat), word]))
    localStorage.setItem(KEY, JSON.stringify({ ...words(), ...more }))
  } catch {
    // then the dice are begun anew if the page is closed too early
  }
}

/** Have all people who play put in something? */
export function allSealed(info: Pick<MatchInfo, 'people'>, pledge: Pledge, but = ''): boolean {
  return Object.keys(info.people).every((seat) => seat === but || seat in pledge.seals)
}

/** What to put in for a seat: openly where the others are bound already, else under seal. */
export async function contribution(info: Pick<MatchInfo, 'people' | 'pledge'>, seat: Seat, word: string): Promise<Contribution> {
  if (!info.pledge) return {}
  const seal = allSealed(info, info.pledge, seat) ? null : await sealOf(word)
  return seal === null ? { word } : { seal }
}

/** What a seat of this browser has to do for the dice: put in a word, open it once all are bound, nothing, or its word is missed. */
export function due(info: Pick<MatchInfo, 'people' | 'pledge' | 'commitment'>, seat: Seat, word: string | undefined): 'put' | 'open' | 'lost' | null {
  const pledge = info.pledge
  if (!pledge || info.commitment) return null
  if (!(seat in pledge.seals)) return 'put'
  if (!allSealed(info, pledge)) return null
  return word === undefined ? 'lost' : 'open'
}
