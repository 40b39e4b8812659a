/** Puzzles: a match of its own from the position of each, kept in this browser as lessons are. */

import * as api from './api'
import { keepOpened } from './house.svelte'
import { keepPrefs, prefs } from './prefs.svelte'

/** What a match for a puzzle is called in the list of the server: each screen names it in its own language. */
export const PUZZLE = 'puzzle'
export const MOST_STARS = 3

const KEY = 'fronte.puzzle'

/** Which puzzle a match is of. */
export interface Tried {
  match: string
  puzzle: string
}

/** The id of the match in which the puzzle is tried. */
export async function beginPuzzle(of: string, name: string): Promise<string> {
  const { game, scenario, seed, seats, position } = await api.puzzle(of, name)
  const opened = await api.create({ game, scenario, options: {}, seed, seats, position, name: PUZZLE, routine: true })
  keepTried({ match: opened.id, puzzle: name })
  keepOpened(opened)
  return opened.id
}

/** The puzzle that a match is of, if it is the last one that was begun here. */
export function tried(match: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Tried | null
    return kept?.match === match ? kept.puzzle : null
  } catch {
    return null
  }
}

export function keepTried(made: Tried | null): void {
  try {
    if (made) localStorage.setItem(KEY, JSON.stringify(made))
    else localStorage.removeItem(KEY)
  } catch {
    // then the puzzle ends with the page
  }
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
