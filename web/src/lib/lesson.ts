/** Lessons: which step is due, and which match a lesson is taught in, or a puzzle tried. */

import type { Happening, LessonStep, UnitId, Until } from './types'

/** What the learner has done and sees. */
export interface Learner {
  events: readonly Happening[]
  picked: ReadonlySet<UnitId>
  /** The kind of the decision that is asked of the learner, empty while it is not. */
  decision: string
  turn: number
}

function holds(until: Until, learner: Learner): boolean {
  const { picked, decision, turn, event, ...data } = until
  if (picked !== undefined) return learner.picked.has(picked)
  if (decision !== undefined) return learner.decision === decision
  if (turn !== undefined) return learner.turn >= turn
  const asked = Object.entries(data)
  return learner.events.some((one) => one.kind === event && asked.every(([key, value]) => one.data[key] === value))
}

/** The step that is due: from the present one past all whose end has come. */
export function stepDue(steps: readonly LessonStep[], now: number, learner: Learner): number {
  let step = now
  while (step < steps.length - 1 && steps[step]?.until?.some((until) => holds(until, learner))) step += 1
  return step
}

/** Who takes back what he did comes back to the step that was due then: `came` has the line at which each became due. */
export function stepBefore(came: readonly (number | undefined)[], now: number, line: number): number {
  let step = now
  while (step > 0 && line < (came[step] ?? 0)) step -= 1
  return step
}

/** What matches for a lesson and for a puzzle are called in the list of the server: each screen names them in its own language. */
export const LESSON = 'lesson'
export const PUZZLE = 'puzzle'

const KEY = 'fronte.lesson'

/** How far the learner has come, in which match. */
export interface Progress {
  match: string
  /** The name of the lesson in the course of its game. */
  lesson: string
  step: number
}

function kept<T extends { match: string }>(key: string, match: string): T | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null
    return found?.match === match ? found : null
  } catch {
    return null
  }
}

function keep(key: string, made: unknown): void {
  try {
    if (made) localStorage.setItem(key, JSON.stringify(made))
    else localStorage.removeItem(key)
  } catch {
    // then it ends with the page
  }
}

export function progress(match: string): Progress | null {
  const found = kept<Progress>(KEY, match)
  return found && { ...found, lesson: found.lesson ?? 'first' }
}

export const keepProgress = (made: Progress | null): void => keep(KEY, made)

const PUZZLES = 'fronte.puzzle'

/** Which puzzle a match is of. */
export interface Tried {
  match: string
  puzzle: string
}

/** The puzzle that a match is of, if it is the last one that was begun here. */
export const tried = (match: string): string | null => kept<Tried>(PUZZLES, match)?.puzzle ?? null

export const keepTried = (made: Tried | null): void => keep(PUZZLES, made)
