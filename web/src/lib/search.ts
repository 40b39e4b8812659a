/** Searching the rules: all words must occur; numbers and titles count more than the text. */

import { bare } from './bare'
import type { Rule } from './types'

export function findRules(rules: readonly Rule[], asked: string): Rule[] {
  const words = bare(asked).split(/\s+/).filter(Boolean)
  if (!words.length) return [...rules]
  const scored = rules.map((rule, order) => ({ rule, order, score: score(rule, words) })).filter(({ score: s }) => s > 0)
  scored.sort((a, b) => b.score - a.score || a.order - b.order)
  return scored.map(({ rule }) => rule)
}

function score(rule: Rule, words: string[]): number {
  const id = rule.id.toLowerCase()
  const cite = (rule.cite ?? '').toLowerCase()
  const title = bare(rule.title)
  const body = bare(`${rule.must} ${rule.ruling ?? ''}`)
  let total = 0
  for (const word of words) {
    if (id === word || cite === word) total += 100
    else if (id.startsWith(`${word}.`)) total += 50
    else if (title.includes(word)) total += 10
    else if (body.includes(word)) total += 1
    else return 0
  }
  return total
}
