/** The words of the second language: fetched when somebody reads it. */

import type { Language } from '../lib/types'
import type { en } from './en'

type Words = Record<keyof typeof en, string>

class Loaded {
  it = $state.raw<Words | null>(null)
}

export const loaded = new Loaded()

/** Bring the words of a language; until they are there English is shown. */
export async function bringWords(language: Language): Promise<void> {
  if (language === 'it' && !loaded.it) loaded.it = (await import('./it')).it
}
