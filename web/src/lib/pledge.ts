/** What this browser puts into the dice (docs/dice.md): a random word, under seal until the others have theirs in. */

import type { MatchInfo, Pledge } from './types'

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

export const wordOf = (match: string): string | undefined => words()[match]

export function keepWord(match: string, word: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...words(), [match]: word }))
  } catch {
    // then the word must be typed in again
  }
}

/** Have all people who play put in something? */
export function allSealed(info: Pick<MatchInfo, 'people'>, pledge: Pledge, but = ''): boolean {
  return Object.keys(info.people).every((seat) => seat === but || seat in pledge.seals)
}

/** What to put in when one takes a seat: openly where the others are bound already, else under seal. */
export async function contribution(info: MatchInfo, seat: string, word: string): Promise<Contribution> {
  if (!info.pledge) return {}
  const seal = allSealed(info, info.pledge, seat) ? null : await sealOf(word)
  return seal === null ? { word } : { seal }
}
