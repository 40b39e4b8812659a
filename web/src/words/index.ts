/** The words of the screen, in the language that is chosen. */

import { prefs } from '../lib/prefs.svelte'
import type { Both, Language } from '../lib/types'
import { en } from './en'
import { loaded } from './loaded.svelte'

export type Key = keyof typeof en

/** A text with its blanks `{name}` filled in; `{n|one|many}` picks a form by number. */
export function fill(template: string, values: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one === undefined) return String(value)
    return Number(value) === 1 ? one : (many ?? '')
  })
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(((prefs.language === 'it' && loaded.it) || en)[key], values)
}

/** The same of words that a part of the screen brings itself, so that nobody else loads them. */
export function ownWords<K extends string>(words: Record<Language, Record<K, string>>): (key: K, values?: Record<string, string | number>) => string {
  return (key, values = {}) => fill(words[prefs.language][key], values)
}

/** Is this a key of the words? For keys made from what the server names, such as kinds of decision. */
export function isKey(key: string): key is Key {
  return key in en
}

/** The text of a key made from a name; the name itself where there is none. */
export function named(prefix: string, name: string): string {
  const key = `${prefix}.${name}`
  return isKey(key) ? t(key) : name
}

export function both(text: Both | string | undefined): string {
  if (text === undefined) return ''
  return typeof text === 'string' ? text : text[prefs.language]
}
