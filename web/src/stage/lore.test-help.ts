/** For tests of scripts: what they may look up, from a list of who was seen where. */

import type { Happening } from '../lib/types'
import type { Lore } from './script'

export function loreOf(seen: Record<string, string>, tables: Lore['tables'] = {}, foreseen = ''): Lore {
  return { tables, where: (unit) => seen[unit] ?? '', force: (unit) => unit.split('-')[0] ?? '', foreseen: () => foreseen }
}

export function told(...events: [kind: string, data: Record<string, unknown>][]): Happening[] {
  return events.map(([kind, data]) => ({ line: 7, kind, rules: [], data, text: kind }))
}
