/** Beginning a lesson: a match of its own from its position, kept in this browser. */

import * as api from './api'
import { keepOpened } from './house.svelte'
import { keepProgress, LESSON } from './lesson'

/** The id of the match in which the lesson is taught. */
export async function beginLesson(of: string, name: string): Promise<string> {
  const { game, scenario, seed, seats, position } = await api.lesson(of, name)
  const opened = await api.create({ game, scenario, options: {}, seed, seats, position, name: LESSON })
  keepProgress({ match: opened.id, lesson: name, step: 0 })
  keepOpened(opened)
  return opened.id
}
