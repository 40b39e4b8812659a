/** What stands between a unit and a hex, with each reason and each help said once however many parts it bars. */

import type { WhyNot, WhyPart } from './types'

export interface ToldOnce {
  own: WhyPart
  way: WhyPart
  attack: WhyPart | null
  /** It cannot attack either, for nothing but reasons that were given above. */
  same: boolean
}

export function toldOnce(why: WhyNot): ToldOnce {
  const told = new Set<string>()
  const isNew = (text: string): boolean => !told.has(text) && Boolean(told.add(text))
  const once = (part: WhyPart): WhyPart => {
    const obstacles = part.obstacles.filter((one) => isNew(`${one.rule} ${one.why}`))
    return { obstacles, helps: part.helps.filter((one) => isNew(`${one.rule ?? ''} ${one.text}`)), single: part.single }
  }
  const [own, way] = [once(why.own), once(why.way)]
  const attack = why.attack && once(why.attack)
  return { own, way, attack, same: Boolean(why.attack?.obstacles.length) && attack?.obstacles.length === 0 }
}
