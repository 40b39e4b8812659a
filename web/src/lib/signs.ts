/** Where signs lie on the map, by the rule of the server's `draw.signs`. */

import { between, centre, sideEnds, sideHexes, type Sheet } from './geometry'
import type { Look, Sign } from './types'

export interface Placed {
  sign: Sign
  symbol: string
  x: number
  y: number
  turn: number
}

/** Whether it is drawn over the counters: it points somewhere, or is itself a unit between two hexes, as a pontoon, which counters on both banks would hide. */
export const isOver = (sign: Sign): boolean => sign.facing !== undefined || Boolean(sign.piece && sideHexes(sign.at)[1])

/** All signs that are drawn, each with its place; several at one place stand beside each other. */
export function placed(sheet: Sheet, look: Pick<Look, 'signs' | 'unknown' | 'beside' | 'around' | 'pointing' | 'crossings'>, signs: readonly Sign[]): Placed[] {
  const taken = new Map<string, number>()
  const next = (at: string): number => {
    const number = taken.get(at) ?? 0
    taken.set(at, number + 1)
    return number
  }
  return signs.flatMap((sign) => {
    const { symbol, crossing } = look.signs[sign.kind] ?? look.unknown
    if (!symbol) return []
    const [a, b] = sideHexes(sign.at)
    const [ax, ay] = centre(sheet, a)
    if (!b && sign.facing !== undefined) {
      // over the hexside at which it points
      const turn = sign.facing * 60 - 90
      const out = (turn * Math.PI) / 180
      return [{ sign, symbol, x: ax + Math.cos(out) * look.pointing * sheet.picture.dy, y: ay + Math.sin(out) * look.pointing * sheet.picture.dy, turn }]
    }
    if (!b) {
      const [dx = 0, dy = 0] = look.around[next(sign.at) % look.around.length] ?? []
      return [{ sign, symbol, x: ax + dx * sheet.picture.dy, y: ay + dy * sheet.picture.dy, turn: 0 }]
    }
    const [bx, by] = centre(sheet, b)
    const turn = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI
    const bridge = look.crossings[`${a}/${b}`] ?? look.crossings[`${b}/${a}`]
    const places = bridge ? look.beside : [0, ...look.beside]
    const share = crossing ? 0 : (places[next(sign.at) % places.length] ?? 0)
    const [x, y] = crossing && bridge ? bridge : between(...sideEnds(sheet, a, b), 0.5 + share)
    return [{ sign, symbol, x, y, turn }]
  })
}
