/** Actions in words, for buttons and for the list. */

import { isKey, named, t } from '../words'
import type { Names } from './names'
import type { Action, HexId, Offer, UnitId } from './types'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

export function unitOf(action: Action): UnitId {
  return text(action.unit) || text(action.gun)
}

export function unitsOf(action: Action): UnitId[] {
  return list(action.units)
}

/** The hex that an action is about, for a mark on the map. */
export function hexOf(action: Action): HexId {
  return text(action.hex) || text(action.at) || text(action.to) || text(action.target) || (list(action.path).at(-1) ?? '')
}

export function bridgeOf(action: Action): string {
  return text(action.bridge)
}

export function pathOf(action: Action): HexId[] {
  return list(action.path)
}

export function hitsOf(action: Action): [UnitId, number][] {
  return Array.isArray(action.hits) ? (action.hits as [UnitId, number][]) : []
}

/** May this question be passed over? Doing nothing is then among its answers. */
export function isOptional(offer: Offer | null): boolean {
  return offer?.guns !== undefined || (offer?.actions ?? []).some((one) => ['end', 'hold'].includes(one.do) || (PASSES.has(one.do) && !unitsOf(one).length && !list(one.guns).length))
}
const PASSES: ReadonlySet<string> = new Set(['advance', 'support', 'withhold'])

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

export function actionText(names: Names, action: Action): string {
  const unit = names.unit(unitOf(action))
  const hex = hexOf(action) ? names.hex(hexOf(action)) : ''
  const bridge = bridgeOf(action) ? names.side(bridgeOf(action)) : ''
  const units = names.units(unitsOf(action))
  switch (action.do) {
    case 'terrain':
      return named('do.terrain', text(action.use))
    case 'release':
      return hex ? t('do.releaseAt', { unit, hex }) : t('do.release', { unit })
    case 'retreat': {
      const join = list(action.join)
      return t('do.retreat', { path: way(names, pathOf(action)) }) + (join.length ? ` + ${names.units(join)}` : '')
    }
    case 'losses':
      return hitsOf(action)
        .map(([id, n]) => `${names.unit(id)} −${n}`)
        .join(', ')
    case 'advance':
    case 'support':
    case 'withhold':
      return units || names.units(list(action.guns)) || t('pick.nobody')
    default: {
      const key = `do.${action.do}`
      return isKey(key) ? t(key, { unit, hex, bridge, units }) : plainText(names, action)
    }
  }
}

export function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item))
}
