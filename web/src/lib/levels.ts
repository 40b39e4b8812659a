/** The levels of the machine: which one is meant, and which one is offered first. */

import { both } from '../words'
import type { GameInfo } from './types'

export type Level = GameInfo['players'][number]

/** Seconds to a phase that a machine may be given to think in; the second is the usual. */
export const TIMES = [1, 2, 5, 8] as const

/** The level of a seat; what comes after a colon says only how long it may think. */
export function levelOf(players: readonly Level[], seat: string): Level | undefined {
  const kind = (id: string): string => id.split(':')[0] ?? id
  return players.find((one) => one.id === seat) ?? players.find((one) => kind(one.id) === kind(seat))
}

/** A level in words, with the seconds that it may think. */
export function levelWords(players: readonly Level[], seat: string): string {
  const name = both(levelOf(players, seat)?.name) || seat
  const time = /:(.+)s$/.exec(seat)?.[1]
  return time ? `${name}, ${time} s` : name
}

/** The opponent of a first evening: who makes a beginner's mistakes too, where the game has him. */
export function firstLevel(players: readonly Level[]): Level | undefined {
  return players.find((one) => one.id === 'recruit') ?? usualLevel(players)
}

/** The opponent that is offered first: steady where it knows the game, else the best there is, which comes last. */
export function usualLevel(players: readonly Level[]): Level | undefined {
  return players.find((one) => one.id === 'steady') ?? players.at(-1)
}
