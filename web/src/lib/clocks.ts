/** What the clocks of a match show. */

import type { Clock, Seat } from './types'

/** Milliseconds that a side has left, so long after the table came: the free part of a stretch goes first. */
export function timeLeft(clock: Clock, seat: Seat, since: number): number {
  const left = clock.left[seat] ?? 0
  if (clock.running !== seat) return left
  return Math.max(0, left - Math.max(0, since - clock.free))
}

/** As people read it: 3 d 04 h, 1:02:03, 12:07. */
export function clockText(milliseconds: number, day: string): string {
  const all = Math.ceil(milliseconds / 1000)
  const two = (n: number): string => String(n).padStart(2, '0')
  const [days, hours, minutes, seconds] = [Math.floor(all / 86_400), Math.floor(all / 3600) % 24, Math.floor(all / 60) % 60, all % 60]
  if (days) return `${days} ${day} ${two(hours)} h`
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
