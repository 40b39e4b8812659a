/** Numbers with a true minus sign. */

import { prefs } from './prefs.svelte'

export const whole = (n: number): string => String(n).replace('-', '−')

/** With one decimal, as the reader's language writes it. */
export function decimal(n: number): string {
  const told = Math.round(n * 10) / 10 + 0 // no minus before zero
  return told.toLocaleString(prefs.language === 'it' ? 'it' : 'en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).replace('-', '−')
}
