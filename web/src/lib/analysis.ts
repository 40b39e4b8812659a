/** What the server tells of a match that is analysed (docs/server.md). */

import type { Action, Seat } from './types'

/** A mean, and the interval in which it lies with 95 %; null where there are too few playouts to tell. */
export type Interval = [number, number | null, number | null]

/** A plan or an answer that was thought about. */
export interface Option {
  purpose: string
  moves: string[]
  count: number
  tries: number
  expected: number
  behind: Interval
}

export interface Advice {
  line: number
  player: string
  action: Action
  text: string
  why: string
  options: Option[]
}

export interface Judgement {
  playouts: number
  ended: number
  score: Interval
  spread: [number, number]
  endings: { text: string; winner: Seat | null; share: number; low: number; high: number }[]
}

export interface Cost {
  done: string[]
  count: number
  playouts: number
  expected: number
  best: Option | null
  cost: Interval
}

/** What somebody's decisions in a puzzle are worth, by exact odds, beside the best that was found. */
export interface Judged {
  /** Null as long as nothing is decided. */
  chance: number | null
  /** False: the chance is at least this. */
  whole: boolean
  /** Null while there is time. */
  reached: boolean | null
  best: number
  naive: number
  stars: number
  /** The best line, where it is told, and the hexes that it speaks of. */
  line: string[]
  hexes: string[]
}

export interface Worth {
  line: number
  turn: number
  score: Interval
}

export interface Curve {
  line: number
  points: Worth[]
  of: number
  whole: boolean
}

/** What an interval says of a cost: it is one, it is none, or nobody can tell. */
export function verdict([, low, high]: Interval): 'costs' | 'better' | 'unsure' {
  if (low !== null && low > 0) return 'costs'
  return high !== null && high < 0 ? 'better' : 'unsure'
}
