/** What the machine says of its actions; kept for this visit, since the server says it once. */

import type { Both } from './types'

/** In one language, or in both. */
export type Reason = string | Both

const key = (match: string): string => `fronte.why.${match}`

export function keptReasons(match: string): Record<number, Reason> {
  try {
    return JSON.parse(sessionStorage.getItem(key(match)) ?? '{}') as Record<number, Reason>
  } catch {
    return {}
  }
}

export function keepReasons(match: string, reasons: Record<number, Reason>): void {
  try {
    sessionStorage.setItem(key(match), JSON.stringify(reasons))
  } catch {
    // then a reload forgets them
  }
}
