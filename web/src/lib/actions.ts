/** Actions in words, for buttons and for the list. */

import type { Names } from './names'
import { isHex } from './pieces'
import type { Action, HexId, Offer, UnitId } from './types'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

export function unitOf(action: Action): UnitId {
  return text(action.unit) || text(action.gun)
}

export function unitsOf(action: Action): UnitId[] {
  return list(action.units)
}

/** The hex that an action is about, for a mark on the map; what is handed to somebody is handed to no hex. */
export function hexOf(action: Action): HexId {
  return [action.hex, action.at, action.to, action.target, list(action.path).at(-1)].map(text).find(isHex) ?? ''
}

export function bridgeOf(action: Action): string {
  return text(action.bridge)
}

export function pathOf(action: Action): HexId[] {
  return list(action.path)
}

/** The shares of an action that allocates: pairs of a name and a number. */
export function sharesOf(action: Action, field: string): [string, number][] {
  const found = action[field]
  return Array.isArray(found) ? (found as [string, number][]) : []
}

/** Does an action end what goes on for a while? */
export function isEnd(action: Action): boolean {
  return action.do === 'end' || action.do === 'done'
}

/** Does an action do nothing at all? Its verb stands alone, or names nobody. */
export function isIdle(action: Action): boolean {
  return isEnd(action) || action.do === 'hold' || action.do === 'pass'
}

/** Where every answer names some of several units, those that name more come first: all together before each alone. */
export function togetherFirst(actions: readonly Action[]): Action[] {
  if (actions.some((one) => !unitsOf(one).length)) return [...actions]
  return actions.toSorted((a, b) => unitsOf(b).length - unitsOf(a).length)
}

/** Actions in groups: those together that differ in nothing but a facing. */
export function byFacing(actions: readonly Action[]): Action[][] {
  const groups = new Map<string, Action[]>()
  for (const action of actions) {
    const { facing, ...rest } = action
    const key = JSON.stringify(facing === undefined ? action : { ...rest, turned: true })
    groups.set(key, [...(groups.get(key) ?? []), action])
  }
  return [...groups.values()]
}

/** May this question be passed over? Doing nothing is then among its answers. */
export function isOptional(offer: Offer | null): boolean {
  return (offer?.actions ?? []).some((one) => isNothing(offer, one))
}

/** Does this answer do nothing: by its verb, or because it names none of the pieces that it could? */
export function isNothing(offer: Offer | null, action: Action): boolean {
  return isIdle(action) || (offer?.field !== undefined && offer.shares === undefined && !list(action[offer.field]).length)
}

/** A way in words: its hexes, the last with its name. */
function way(names: Names, path: HexId[]): string {
  return path.map((hex, i) => (i === path.length - 1 ? names.hex(hex) : hex)).join('–')
}

/** An action in the words of the pack: its verb, and all that it names. */
function plainText(names: Names, action: Action): string {
  const said = Object.entries(action).flatMap(([key, value]): string[] => {
    if (key === 'do') return []
    if (key === 'path') return [way(names, list(value))]
    if (Array.isArray(value)) return [names.units(list(value))]
    return [names.thing(String(value))]
  })
  return [names.word('verb', action.do), ...said].filter(Boolean).join(' ')
}

/** What an action does, in the words of the pack. */
export function actionText(names: Names, action: Action): string {
  return names.say('action', action.do, action) || plainText(names, action)
}

/** What is to be known of an answer before it is given, in brackets. */
export function remarks(names: Names, notes: Record<string, number> | undefined): string {
  const said = Object.entries(notes ?? {}).flatMap(([key, n]) => (n ? [names.say('remark', key, { n })] : [])).filter(Boolean)
  return said.length ? ` (${said.join(', ')})` : ''
}

export function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item))
}
