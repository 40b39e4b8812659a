/** Lessons: which step is due, which match a lesson is taught in, and which are learnt. */

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

/** What a match for a lesson is called in the list of the server: each screen names it in its own language. */
export const LESSON = 'lesson'

const KEY = 'fronte.lesson'

/** How far the learner has come, in which match. */
export interface Progress {
  match: string
  /** The name of the lesson in the course of its game. */
  lesson: string
  step: number
}

export function progress(match: string): Progress | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Progress | null
    return kept?.match === match ? { ...kept, lesson: kept.lesson ?? 'first' } : null
  } catch {
    return null
  }
}

export function keepProgress(made: Progress | null): void {
  try {
    if (made) localStorage.setItem(KEY, JSON.stringify(made))
    else localStorage.removeItem(KEY)
  } catch {
    // then the lesson ends with the page
  }
}
