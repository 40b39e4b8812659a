/** The levels of the machine: which one is meant, and which one is offered first. */

import type { GameInfo } from './types'

export type Level = GameInfo['players'][number]

/** The level of a seat; what comes after a colon says only how long it may think. */
export function levelOf(players: readonly Level[], seat: string): Level | undefined {
  const kind = (id: string): string => id.split(':')[0] ?? id
  return players.find((one) => one.id === seat) ?? players.find((one) => kind(one.id) === kind(seat))
}

/** The opponent that a newcomer meets: steady where it knows the game, else the best there is, which comes last. */
export function usualLevel(players: readonly Level[]): Level | undefined {
  return players.find((one) => one.id === 'steady') ?? players.at(-1)
}
