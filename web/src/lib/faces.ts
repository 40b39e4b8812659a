/** What stands on a counter: the parts that the pack describes, filled for one piece as the server's `engine.look` does. */

import { roman } from './roman'
import type { Look, Part, Piece } from './types'

/** A part with what it shows; `at` is its number among the parts of the look. */
export interface Shown {
  at: number
  text: string
  colour: string
}

type Values = Readonly<Record<string, string>>
type Seen = Pick<Piece, 'force' | 'id' | 'face' | 'values' | 'marks' | 'facing'>

const FIELD = /\{(\w+)(?:\|([^}]*))?\}/g

/** All that the parts of a piece can show, by name: what the view says of it, else what is printed on the face that is up. */
export function valuesOf(faces: readonly string[], seen: Seen, printed: Readonly<Record<string, unknown>>): Values {
  const row = Object.fromEntries(Object.entries(printed).filter(([, value]) => value !== '').map(([column, value]) => [column, String(value)]))
  const found = { ...row }
  const ending = faces[Math.min(seen.face ?? 0, faces.length - 1)]
  if (ending) for (const column of Object.keys(printed)) if (row[column + ending]) found[column] = row[column + ending]!
  if (seen.id && !found.name) found.name = seen.id
  const values = Object.entries(seen.values ?? {}).filter(([, value]) => value !== '')
  for (const [name, value] of values) found[name] = String(value)
  found.force = seen.force
  const worth = values.filter(([, value]) => value !== 0).map(([, value]) => String(value)).join(' ')
  if (worth) found.values = worth
  else delete found.values
  if (seen.facing !== undefined) found.facing = String(seen.facing)
  return found
}

/** The parts that are there on a piece. `say` puts a value into words where there is room for them. */
export function fill(parts: readonly Part[], seen: Seen, values: Values, say?: (name: string, value: string) => string): Shown[] {
  return parts.flatMap((part, at) => {
    const text = isThere(part, seen, values) ? written(part, values, say) : null
    return text === null ? [] : [{ at, text, colour: colourOf(part, values) }]
  })
}

function isThere(part: Part, seen: Seen, values: Values): boolean {
  if (part.mark && !(seen.marks ?? []).includes(part.mark)) return false
  if (part.face !== undefined && part.face !== (seen.face ?? 0)) return false
  if (part.known !== undefined && part.known !== Boolean(seen.id)) return false
  if (Object.entries(part.only ?? {}).some(([name, words]) => !words.includes(values[name] ?? ''))) return false
  return !Object.entries(part.unless ?? {}).some(([name, words]) => words.includes(values[name] ?? ''))
}

/** The names of the values that a part shows. */
export function fieldsOf(part: Part): string[] {
  return [...(part.symbol ?? part.text ?? '').matchAll(FIELD)].map((field) => field[1]!)
}

function written({ symbol, text = '', words, hide = [], roman: inRoman }: Part, values: Values, say?: (name: string, value: string) => string): string | null {
  const template = symbol ?? text
  const fields = [...template.matchAll(FIELD)].map(([, name = '', fallback = '']) => [name, values[name] ?? fallback] as const)
  if (fields.some(([, value]) => !value)) return null
  if (fields.length && fields.every(([, value]) => hide.includes(value))) return null
  if (words && fields.some(([, value]) => !(value in words))) return null
  const found = new Map(
    fields.map(([name, value]) => [name, words ? words[value]! : inRoman && /^\d+$/.test(value) ? roman(Number(value)) : say ? say(name, value) : value]),
  )
  return template.replace(FIELD, (_, name: string) => found.get(name) ?? '')
}

function colourOf(part: Part, values: Values): string {
  const { colour = '' } = part
  if (typeof colour === 'string') return colour
  const name = part.by ? (part.by.match(/\w+/)?.[0] ?? '') : (fieldsOf(part)[0] ?? '')
  const value = values[name] ?? ''
  if (!Array.isArray(colour)) return (colour as Record<string, string>)[value] ?? (colour as Record<string, string>)[''] ?? ''
  return /^\d+$/.test(value) ? (colour[Number(value) % colour.length] ?? '') : ''
}

/** The face in one line of text. */
export function faceText(look: Pick<Look, 'text'>, seen: Seen, values: Values, say?: (name: string, value: string) => string): string {
  return fill(look.text, seen, values, say).map((one) => one.text).join('').trim()
}
