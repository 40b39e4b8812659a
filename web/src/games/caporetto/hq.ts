/** Where a headquarters is best put. */

import { centre, distance, type Sheet } from '../../lib/geometry'
import type { HexId } from '../../lib/types'

/** Of the hexes from which most units are commanded the one nearest to some places; of equals the first by name. */
export function nearest(commands: Record<HexId, number>, to: readonly HexId[], sheet: Sheet): HexId {
  const most = Math.max(0, ...Object.values(commands))
  const far = (hex: HexId): number => Math.round(to.reduce((sum, one) => sum + distance(centre(sheet, hex), centre(sheet, one)), 0))
  return Object.keys(commands)
    .filter((hex) => commands[hex] === most)
    .map((hex) => ({ hex, far: far(hex) }))
    .sort((a, b) => a.far - b.far || (a.hex < b.hex ? -1 : 1))[0]?.hex ?? ''
}
