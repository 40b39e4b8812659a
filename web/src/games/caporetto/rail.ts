/** Where a turn stands: its phases, and the steps of the one at hand. */

/** The steps of a phase, in their order; of an assault on the move too. */
const STEPS: Record<string, string[]> = {
  engineering: ['repair_done', 'repair', 'demolition', 'bridging'],
  artillery: ['trench_demolition', 'modes', 'interdiction', 'preparation', 'gas_and_mines'],
  action: ['activate', 'move', 'bombard', 'defend', 'assault', 'counter_declare', 'counter_defend', 'counter', 'complete', 'react'],
}
const MOBILE = ['mobile_support', 'mobile_defend', 'mobile_assault', 'mobile_counter_declare', 'mobile_counter_defend', 'mobile_counter']
const OUTSIDE = ['setup', 'end']
/** 4.0: the numbers that the book gives its phases; in two of them, one for each side, formations act. */
const NUMBERS: Record<string, string> = { gun_movement: '9', movement: '10', supply: '11', recovery: '12', victory: '13' }
export const LAST = '13'

export interface Stop {
  key: string
  /** A letter or a number. */
  sign: string
  text: string
  now: boolean
  past: boolean
}

/** `A · Movement` as its letter and the rest; `On the move: fire` without the words before the colon. */
function parts(text: string, n: number, prefix: string): [string, string] {
  const [letter = '', rest] = text.split(' · ')
  if (rest !== undefined) return [letter, rest]
  return [`${prefix}${n}`, text.replace(/^[^:]*: /, '')]
}

function stops(keys: readonly string[], at: string, word: (key: string) => string, prefix = ''): Stop[] {
  const here = keys.indexOf(at)
  return keys.map((key, i) => {
    const [sign, text] = parts(word(key), i + 1, prefix)
    return { key, sign, text, now: i === here, past: here >= 0 && i < here }
  })
}

/** The phases of a turn, with their numbers in the book. */
export function phases(keys: readonly string[], at: string, word: (key: string) => string): Stop[] {
  return stops(keys.filter((key) => !OUTSIDE.includes(key)), at, word).map((one) => ({ ...one, sign: one.key === 'action' ? '7–8' : (NUMBERS[one.key] ?? one.sign) }))
}

/** The steps of a phase; while somebody assaults on the move, those of that assault. Nothing where there are none. */
export function steps(phase: string, at: string, word: (key: string) => string): Stop[] {
  if (MOBILE.includes(at)) return stops(MOBILE, at, word, 'M')
  const keys = STEPS[phase] ?? []
  if (phase !== 'action') return stops(keys, at, word)
  const [first, ...others] = keys
  return first ? [...stops([first], at, word).map((one) => ({ ...one, sign: '0', past: others.includes(at) })), ...stops(others, at, word)] : []
}
