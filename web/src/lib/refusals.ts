/** Why nothing of a kind is allowed, when each try has its own answer. */

import type { Refusal } from './types'

/** The first refusal by the rule that refuses most; null where something is allowed or nothing was asked. */
export function commonest(answers: readonly (Refusal | null)[]): Refusal | null {
  const refused = answers.filter((one) => one !== null)
  if (refused.length < answers.length) return null
  const often = (rule: string): number => refused.filter((one) => one.rule === rule).length
  return refused.reduce<Refusal | null>((best, one) => (best && often(best.rule) >= often(one.rule) ? best : one), null)
}
