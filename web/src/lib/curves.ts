/** Lines from hexside to hexside (routes, trenches) or along hexsides (water), as smooth curves: SVG path data. */

import { between, centre, columnOf, distance, rowOf, sideEnds, spot, type Point, type Sheet } from './geometry'
import type { HexId, HexRow, SideRow } from './types'

/** How far from straight the way p - centre - q is: -1 is straight. */
function bend(middle: Point, p: Point, q: Point): number {
  const a = [p[0] - middle[0], p[1] - middle[1]] as const
  const b = [q[0] - middle[0], q[1] - middle[1]] as const
  const size = Math.hypot(...a) * Math.hypot(...b)
  return size ? (a[0] * b[0] + a[1] * b[1]) / size : 1
}

/** Joins the ends: the straightest pair as one curve, the others into it; or all to the centre. */
export function star(middle: Point, ends: Point[], straight = false): string {
  if (ends.length === 1 || straight) return ends.map((end) => `M${spot(end)}L${spot(middle)}`).join('')
  let best: [Point, Point] | null = null
  let least = Infinity
  for (const [i, p] of ends.entries()) {
    for (const q of ends.slice(i + 1)) {
      const turn = bend(middle, p, q)
      if (turn < least - 1e-6) {
        least = turn
        best = [p, q]
      }
    }
  }
  if (!best) return ''
  const [first, second] = best
  const join = between(between(first, second, 0.5), middle, 0.5)
  const others = ends.filter((end) => end !== first && end !== second)
  return `M${spot(first)}Q${spot(middle)} ${spot(second)}` + others.map((end) => `M${spot(end)}L${spot(join)}`).join('')
}

/** Where a route leaves the map from a flagged hex: the middle of the outer side of that hex. */
function wayOut({ grid, picture }: Sheet, hex: HexId): Point {
  const [x, y] = centre({ grid, picture }, hex)
  const row = rowOf(hex)
  if (row === grid.rows[0] || row === grid.rows[1]) return [x, y + picture.dy * (row === grid.rows[1] ? 0.5 : -0.5)]
  return [x + picture.dy * (columnOf(hex) === grid.columns[1] ? 0.5 : -0.5), y]
}

function gather(ends: Map<HexId, Point[]>, hex: HexId, point: Point): void {
  const list = ends.get(hex)
  if (list) list.push(point)
  else ends.set(hex, [point])
}

/** A route whose rows name the hexsides it crosses; `offset` moves it aside, in hexes. */
export function alongHexes(sheet: Sheet, rows: Map<HexId, HexRow>, sides: SideRow[], offset = 0): string {
  const ends = new Map<HexId, Point[]>()
  for (const side of sides) {
    const [p, q] = sideEnds(sheet, side.a, side.b)
    const point = between(p, q, 0.5 + offset)
    gather(ends, side.a, point)
    gather(ends, side.b, point)
  }
  let path = ''
  for (const [hex, points] of ends) {
    if (rows.get(hex)?.flag) points.push(wayOut(sheet, hex))
    const [x, y] = centre(sheet, hex)
    const shift = offset * sheet.picture.dy * 0.5
    path += star([x + shift, y + shift], points, rows.get(hex)?.settlement !== undefined)
  }
  return path
}

/** Water that runs along the hexsides of these rows. */
export function alongSides(sheet: Sheet, sides: SideRow[]): string {
  const ends = new Map<string, { corner: Point; points: Point[] }>()
  for (const side of sides) {
    const [p, q] = sideEnds(sheet, side.a, side.b)
    for (const corner of [p, q]) {
      const key = `${Math.round(corner[0])},${Math.round(corner[1])}`
      const entry = ends.get(key) ?? { corner, points: [] }
      entry.points.push(between(p, q, 0.5))
      ends.set(key, entry)
    }
  }
  return [...ends.values()].map(({ corner, points }) => star(corner, points)).join('')
}

/** How many teeth a cliff has, how far they reach into the lower hex, and where its edge begins, in hexes and hexsides. */
const TEETH = 5
const DROP = 0.13
const RIM = 0.04

/** Cliffs along hexsides: the rim as a line, and teeth that point down into the lower hex. */
export function cliffs(sheet: Sheet, rows: Map<HexId, HexRow>, sides: SideRow[]): { rim: string; teeth: string } {
  const found = { rim: '', teeth: '' }
  for (const side of sides) {
    const [p, q] = sideEnds(sheet, side.a, side.b)
    const level = (hex: HexId): number => rows.get(hex)?.level ?? 0
    const below = centre(sheet, level(side.a) < level(side.b) ? side.a : side.b)
    const middle = between(p, q, 0.5)
    const down = (sheet.picture.dy * DROP) / distance(middle, below)
    const at = (share: number): Point => between(p, q, RIM + (1 - 2 * RIM) * share)
    found.rim += `M${spot(at(0))}L${spot(at(1))}`
    for (let i = 0; i < TEETH; i += 1) {
      const root = at((i + 0.5) / TEETH)
      const tip: Point = [root[0] + (below[0] - middle[0]) * down, root[1] + (below[1] - middle[1]) * down]
      found.teeth += `M${spot(at(i / TEETH))}L${spot(at((i + 0.8) / TEETH))}L${spot(tip)}Z`
    }
  }
  return found
}

/** For each trench hex of a side, the direction of the enemy trenches next to it. */
function facing(sheet: Sheet, rows: HexRow[], side: string): Map<HexId, Point> {
  const theirs = rows.filter((row) => row.trench && row.trench !== side).map((row) => centre(sheet, row.hex))
  const out = new Map<HexId, Point>()
  for (const row of rows.filter((r) => r.trench === side)) {
    const here = centre(sheet, row.hex)
    const near = theirs.filter((p) => distance(p, here) < sheet.picture.dy * 1.2)
    const x = near.reduce((sum, p) => sum + p[0] - here[0], 0)
    const y = near.reduce((sum, p) => sum + p[1] - here[1], 0)
    const size = Math.hypot(x, y)
    if (size) out.set(row.hex, [x / size, y / size])
  }
  return out
}

/** A trench line, moved inside its hexes towards the enemy. */
export function trenchLine(sheet: Sheet, rows: HexRow[], sides: SideRow[], side: string): string {
  const towards = facing(sheet, rows, side)
  const still: Point = [0, 0]
  const ends = new Map<HexId, Point[]>()
  for (const row of sides) {
    const a = towards.get(row.a) ?? still
    const b = towards.get(row.b) ?? still
    const [p, q] = sideEnds(sheet, row.a, row.b)
    const pull = ((q[0] - p[0]) * (a[0] + b[0]) + (q[1] - p[1]) * (a[1] + b[1])) / distance(p, q)
    const point = between(p, q, 0.5 + Math.max(-0.3, Math.min(0.3, 0.3 * pull)))
    gather(ends, row.a, point)
    gather(ends, row.b, point)
  }
  let path = ''
  for (const [hex, points] of ends) {
    const [x, y] = centre(sheet, hex)
    const [dx, dy] = towards.get(hex) ?? still
    path += star([x + dx * sheet.picture.dy * 0.3, y + dy * sheet.picture.dy * 0.3], points)
  }
  return path
}
