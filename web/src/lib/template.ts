/** Texts of a pack filled with the names of things, as the server does it (engine/text.py says how they are written). */

import { roman } from './roman'
import type { Words } from './types'

/** What things are called. */
export interface Namer {
  unit(id: string): string
  hex(id: string): string
  /** Where something is: a hex, or a place off the map. */
  place(where: string): string
  /** A hexside by its two hexes and its water. */
  side(name: string): string
  points(parts: number): string
  ratio(column: string): string
  /** What a unit is, as its counter says. */
  kind(id: string): string
  has(table: string, key: string): boolean
  word(table: string, key: string): string
}

type Data = Record<string, unknown>

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function look(data: Data, path: string): unknown {
  let found: unknown = data
  for (const part of path.split('.')) found = found !== null && typeof found === 'object' ? (found as Data)[part] : undefined
  return found ?? ''
}

const isThere = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** A, B and C. */
function join(parts: string[], names: Namer): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${names.word('word', 'and')} ${parts.at(-1)}`
}

function count(value: unknown, show: boolean, forms: string[], names: Namer): string {
  const number = Array.isArray(value) ? value.length : Number(value || 0)
  if (forms.length === 3) {
    if (!number) return forms[0] ?? ''
    forms = forms.slice(1)
  }
  const form = (number === 1 ? forms[0] : forms.at(-1)) ?? ''
  return show ? `${names.ratio(minus(number))} ${form}` : form
}

/** With a true minus sign. */
const minus = (n: number): string => String(n).replace('-', '−')

const KINDS: Record<string, (value: unknown, names: Namer) => string> = {
  unit: (value, names) => names.unit(String(value)),
  units: (value, names) => join(list(value).map((id) => names.unit(id)), names),
  hex: (value, names) => names.hex(String(value)),
  hexes: (value, names) => join(list(value).map((id) => names.hex(id)), names),
  in: (value, names) => names.place(String(value)),
  way: (value, names) => list(value).map((id, i, all) => (i === all.length - 1 ? names.hex(id) : id)).join('–'),
  goal: (value, names) => names.hex(list(value).at(-1) ?? ''),
  hexside: (value, names) => names.side(String(value)),
  hexsides: (value, names) => join(list(value).map((side) => names.side(side)), names),
  list: (value) => list(value).join(', '),
  aims: (value, names) => (Array.isArray(value) ? (value as [string, string][]).map(([id, at]) => `${names.unit(id)} → ${at}`).join(', ') : ''),
  shares: (value, names) => (Array.isArray(value) ? (value as [string, number][]).map(([id, n]) => `${names.unit(id)} −${n}`).join(', ') : ''),
  points: (value, names) => names.points(Number(value)),
  ratio: (value, names) => names.ratio(String(value)),
  roman: (value) => (/^\d+$/.test(String(value)) ? roman(Number(value)) : String(value)),
  unsigned: (value) => String(Math.abs(Number(value))),
  signed: (value) => (Number(value) > 0 ? `+${Number(value)}` : Number(value) < 0 ? `−${-Number(value)}` : '0'),
}

function shown(value: unknown, kind: string, names: Namer): string {
  if (!kind) return typeof value === 'number' ? minus(value) : String(value)
  if (kind === '?' || kind === '!') return ''
  if (kind[0] === '#' || kind[0] === '=') return count(value, kind[0] === '#', kind.slice(1).split('|'), names)
  if (kind[0] === '<') return kind.slice(1).split('|')[Math.sign(Number(value)) + 1] ?? ''
  if (kind.startsWith('kind/')) {
    const [table, key] = [kind.slice('kind/'.length), names.kind(String(value))]
    return names.word(table, names.has(table, key) ? key : 'other')
  }
  const known = KINDS[kind]
  if (known) return known(value, names)
  return Array.isArray(value) ? join(value.map((one) => names.word(kind, String(one))), names) : names.word(kind, String(value))
}

const FIELD = /\{([\w.]+)(?::([^}]*))?\}/g

/** A template with its fields filled in; what stands in square brackets is left out where its first field is empty. */
export function filled(template: string, data: Data, names: Namer): string {
  const kept = template.replace(/\[([^\]]*)\]/g, (whole, inner: string) => {
    const first = [...inner.matchAll(FIELD)][0]
    if (!first) return whole
    return isThere(look(data, first[1] ?? '')) !== (first[2] === '!') ? inner : ''
  })
  return kept.replace(FIELD, (_, path: string, kind?: string) => shown(look(data, path), kind ?? '', names))
}

/** The template that an entry has for these data: a table chooses one by the value of a field. */
export function chosen(entry: string | Words | undefined, data: Data): string | undefined {
  if (entry === undefined || typeof entry === 'string') return entry
  const found = entry[String(look(data, String(entry.by))).toLowerCase()] ?? entry.other
  return typeof found === 'string' ? found : undefined
}
