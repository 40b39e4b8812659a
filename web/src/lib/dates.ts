/** Dates as people read them, in the language of the screen. */

import { prefs } from './prefs.svelte'

/** How numbers and dates are written. */
export function locale(): string {
  return prefs.language === 'it' ? 'it' : 'en-GB'
}

/** A point in time, short: seconds since 1970. */
export function shortDate(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(locale(), { dateStyle: 'short', timeStyle: 'short' })
}
