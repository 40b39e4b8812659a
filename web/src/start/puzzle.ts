/** Puzzles: a match of its own from the position of each, kept in this browser as lessons are. */

import * as api from '../lib/api'
import { keepOpened } from '../lib/house.svelte'
import { keepTried, PUZZLE } from '../lib/lesson'
import { keepPrefs, prefs } from '../lib/prefs.svelte'

export const MOST_STARS = 3

/** The id of the match in which the puzzle is tried. */
export async function beginPuzzle(of: string, name: string): Promise<string> {
  const { game, scenario, seed, seats, position } = await api.puzzle(of, name)
  const opened = await api.create({ game, scenario, options: {}, seed, seats, position, name: PUZZLE, routine: true })
  keepTried({ match: opened.id, puzzle: name })
  keepOpened(opened)
  return opened.id
}

/** The most stars that were had in a puzzle; null: it was never judged. */
export const starsOf = (game: string, name: string): number | null => prefs.solved[`${game}/${name}`] ?? null

export function keepStars(game: string, name: string, stars: number): void {
  const had = starsOf(game, name)
  if (had !== null && had >= stars) return
  prefs.solved[`${game}/${name}`] = stars
  keepPrefs()
}

/** Stars as signs: those that were had, and those that were not. */
export const starSigns = (stars: number): string => '★'.repeat(stars) + '☆'.repeat(MOST_STARS - stars)
