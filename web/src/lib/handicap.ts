/** Points that a side is given before a match: an option of every match, written `ah:10`. */
import type { Seat } from './types'

export const HANDICAP = 'handicap'
export const MOST_HANDICAP = 200

/** Who was given points, and how many; null where nobody was. */
export function handicapOf(options: Record<string, string>): { seat: Seat; points: number } | null {
  const [seat, points] = (options[HANDICAP] ?? '').split(':')
  return seat && points ? { seat, points: Number(points) } : null
}

/** The options of a rematch: whoever was given points is given them again, now that others have his side. */
export function changedSides(options: Record<string, string>, other: (seat: Seat) => Seat): Record<string, string> {
  const given = handicapOf(options)
  return given ? { ...options, [HANDICAP]: `${other(given.seat)}:${given.points}` } : options
}
