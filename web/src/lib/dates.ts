/** Dates as people read them, in the language of the screen. */

import { prefs } from './prefs.svelte'

/** A point in time, short: seconds since 1970. */
export function shortDate(seconds: number): string {
  const locale = prefs.language === 'it' ? 'it' : 'en-GB'
  return new Date(seconds * 1000).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'short' })
}
