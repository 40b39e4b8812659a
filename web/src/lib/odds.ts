/** Odds as shares: what the chart shows. */

import type { Names } from './names'
import type { Action, OddsSheet } from './types'

export interface Bar {
  n: number
  share: number
}

/** The distribution as shares of one, without the empty tail. */
export function bars(counts: readonly number[] | undefined, of: number): Bar[] {
  if (!counts || of <= 0) return []
  let last = counts.length - 1
  while (last > 0 && counts[last] === 0) last -= 1
  return counts.slice(0, last + 1).map((count, n) => ({ n, share: count / of }))
}

/** A number with its sign, as it is added. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'
}

/** Are all effects of facts numbers that are added, `+1` and `-2`? */
export function isAdded(effects: readonly string[]): boolean {
  const told = effects.filter(Boolean)
  return told.length > 0 && told.every((effect) => /^[+\-−]\d+$/.test(effect))
}

/** What the effects of facts come to: their sum where they are added, else the last ratio, which is the column that the others have led to, else the first. */
export function sumOf(effects: readonly string[]): string {
  if (!isAdded(effects)) return effects.findLast((effect) => effect.includes(':')) ?? effects.find(Boolean) ?? ''
  return signed(effects.reduce((sum, effect) => sum + Number(effect.replace('−', '-')), 0))
}

export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%'
  if (share < 1 && share > 0.995) return '>99%'
  return `${Math.round(share * 100)}%`
}

/** How likely the first thing on a sheet is to happen at all. */
export function chanceOf(sheet: OddsSheet): number {
  const counts = sheet.rows[0]?.counts ?? []
  return sheet.of ? counts.slice(1).reduce((sum, n) => sum + n, 0) / sheet.of : 0
}

/** How many of it are to be expected, to a tenth. */
export function meanOf(counts: readonly number[]): number {
  const all = counts.reduce((sum, n) => sum + n, 0)
  return all ? Math.round((10 * counts.reduce((sum, n, many) => sum + n * many, 0)) / all) / 10 : 0
}

/** Which outcome has become likelier or less likely most of all, of things that have no mean; -1 where none has. */
export function mostChanged(before: readonly number[], of: number, now: readonly number[], ofNow: number): number {
  const changes = now.map((count, n) => Math.abs(count / ofNow - (before[n] ?? 0) / of))
  const most = Math.max(0, ...changes)
  return most < 0.005 ? -1 : changes.indexOf(most)
}

/** What belongs to the arithmetic: what each unit is worth, and the sum before anything moves it. */
export function isArithmetic(key: string): boolean {
  return key === 'base' || key.endsWith('_of')
}

/** The chance of an answer in the words of its game (`[chance]`: `share`, and `s0`, `s1` ... for 0, 1 ... of the first thing, or of that in `[chance_of]`; `n`: how many are to be expected; of another thing `victory.s0`; `sum`: what the facts come to); empty where it has none. */
export function chanceText(names: Pick<Names, 'say' | 'word'>, action: Action, sheet: OddsSheet): string {
  const row = sheet.rows.find((one) => one.what === names.word('chance_of', action.do)) ?? sheet.rows[0]
  const counts = row?.counts ?? []
  if (!sheet.of) return ''
  const sharesOf = (numbers: readonly number[]): Record<string, string> => ({ ...Object.fromEntries(numbers.map((n, at) => [`s${at}`, percent(n / sheet.of)])), n: String(meanOf(numbers)), share: percent(numbers.slice(1).reduce((sum, n) => sum + n, 0) / sheet.of) })
  const others = Object.fromEntries([...sheet.rows].reverse().map((one) => [one.what, sharesOf(one.counts)]))
  return names.say('chance', action.do, { ...others, ...sharesOf(counts), what: row?.what ?? '', sum: sumOf(sheet.facts.map((fact) => fact.effect ?? '')) })
}
