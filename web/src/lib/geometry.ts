/** Where hexes lie on the sheet: plain geometry of the board's grid and picture. */

import type { Grid, HexId, Picture } from './types'

export type Point = readonly [number, number]

export interface Sheet {
  grid: Grid
  picture: Picture
}

export function columnOf(hex: HexId): number {
  return Number(hex.slice(0, 2))
}

export function rowOf(hex: HexId): number {
  return Number(hex.slice(2, 4))
}

export function hexName(column: number, row: number): HexId {
  return `${String(column).padStart(2, '0')}${String(row).padStart(2, '0')}`
}

function isLow(grid: Grid, column: number): boolean {
  return (column % 2 === 1) === grid.odd_columns_lower
}

/** The centre of a hex in the picture's pixels. */
export function centre({ grid, picture }: Sheet, hex: HexId): Point {
  const column = columnOf(hex)
  const x = picture.x0 + picture.dx * (column - grid.columns[0])
  const y = picture.y0 + picture.dy * (rowOf(hex) - grid.rows[0] + (isLow(grid, column) ? 0.5 : 0))
  return [x, y]
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The smallest upright box that holds two hexes. */
export function boxOf(sheet: Sheet, [a, b]: readonly [HexId, HexId]): Box {
  const points = [...corners(sheet, a), ...corners(sheet, b)]
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** The six corners of a hex, clockwise from the upper left. */
export function corners(sheet: Sheet, hex: HexId): Point[] {
  const [x, y] = centre(sheet, hex)
  const across = (sheet.picture.dx * 2) / 3
  const high = sheet.picture.dy / 2
  const half = across / 2
  return [
    [x - half, y - high],
    [x + half, y - high],
    [x + across, y],
    [x + half, y + high],
    [x - half, y + high],
    [x - across, y],
  ]
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1])
}

/** The point so far on the way from p to q. */
export function between(p: Point, q: Point, share: number): Point {
  return [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share]
}

/** The two ends of the hexside between neighbours. */
export function sideEnds(sheet: Sheet, a: HexId, b: HexId): [Point, Point] {
  const middle = between(centre(sheet, a), centre(sheet, b), 0.5)
  const near = [...corners(sheet, a)].sort((p, q) => distance(p, middle) - distance(q, middle)).slice(0, 2)
  near.sort((p, q) => p[0] - q[0] || p[1] - q[1])
  return [near[0]!, near[1]!]
}

/** The two hexes of a hexside written a/b. */
export function sideHexes(name: string): [HexId, HexId] {
  const [a = '', b = ''] = name.split('/')
  return [a, b]
}

/** The hex whose area holds this point, or null when it lies beyond the grid. */
export function hexAt({ grid, picture }: Sheet, point: Point): HexId | null {
  let best: HexId | null = null
  let nearest = Infinity
  const about = Math.round((point[0] - picture.x0) / picture.dx) + grid.columns[0]
  for (const column of [about - 1, about, about + 1]) {
    if (column < grid.columns[0] || column > grid.columns[1]) continue
    const low = isLow(grid, column) ? 0.5 : 0
    const row = Math.round((point[1] - picture.y0) / picture.dy - low) + grid.rows[0]
    if (row < grid.rows[0] || row > grid.rows[1]) continue
    const hex = hexName(column, row)
    const away = distance(centre({ grid, picture }, hex), point)
    if (away < nearest) {
      nearest = away
      best = hex
    }
  }
  return nearest <= (picture.dx * 2) / 3 + 1 ? best : null
}

/** The neighbours of a hex, clockwise from the one above; null beyond the grid. */
export function neighbours(grid: Grid, hex: HexId): (HexId | null)[] {
  const c = columnOf(hex)
  const r = rowOf(hex)
  const up = isLow(grid, c) ? r : r - 1
  const around: [number, number][] = [
    [c, r - 1],
    [c + 1, up],
    [c + 1, up + 1],
    [c, r + 1],
    [c - 1, up + 1],
    [c - 1, up],
  ]
  return around.map(([column, row]) =>
    column >= grid.columns[0] && column <= grid.columns[1] && row >= grid.rows[0] && row <= grid.rows[1]
      ? hexName(column, row)
      : null,
  )
}

const ARROWS: Record<string, readonly [number, number]> = { ArrowUp: [0, 0], ArrowDown: [3, 3], ArrowRight: [2, 1], ArrowLeft: [4, 5] }

/** Is this an arrow key? */
export function isArrow(key: string): boolean {
  return key in ARROWS
}

/** The hex to which an arrow key leads. Sideways it keeps to its row, except where the map ends there; null at the edge. */
export function stepTo(grid: Grid, hex: HexId, key: string): HexId | null {
  const [level, other] = ARROWS[key] ?? [0, 0]
  const near = neighbours(grid, hex)
  const [first, second] = isLow(grid, columnOf(hex)) ? [other, level] : [level, other]
  return near[first] ?? near[second] ?? null
}

/** Path data along so many hexsides of a hex around the one that is looked at, a little inside of it. */
export function frontPath(sheet: Sheet, hex: HexId, facing: number, sides: number, share = 0.9): string {
  const [middle, around] = [centre(sheet, hex), corners(sheet, hex)]
  const first = facing - Math.floor(sides / 2)
  const points = Array.from({ length: sides + 1 }, (_, i) => between(middle, around[(first + i + 6) % 6]!, share))
  return `M${points.map(spot).join('L')}`
}

/** Path data through the centres of these hexes. */
export function wayPath(sheet: Sheet, hexes: readonly HexId[]): string {
  return hexes.map((hex, i) => `${i ? 'L' : 'M'}${spot(centre(sheet, hex))}`).join('')
}

/** Path data along the hexside written a/b. */
export function sidePath(sheet: Sheet, name: string): string {
  const [a, b] = sideHexes(name)
  return `M${sideEnds(sheet, a, b).map(spot).join('L')}`
}

/** The outline of a short arrow over the hexside from one hex to its neighbour. */
export function blowPath(sheet: Sheet, from: HexId, to: HexId): string {
  const [a, b] = [centre(sheet, from), centre(sheet, to)]
  const length = distance(a, b)
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
  const wide = sheet.picture.dy * 0.06
  const at = (along: number, aside: number): Point => [a[0] + ux * length * along - uy * wide * aside, a[1] + uy * length * along + ux * wide * aside]
  const points = [at(0.32, 1), at(0.52, 1), at(0.52, 2.4), at(0.7, 0), at(0.52, -2.4), at(0.52, -1), at(0.32, -1)]
  return `M${points.map(spot).join('L')}Z`
}

export function spot(p: Point): string {
  return `${round(p[0])},${round(p[1])}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function polygon(sheet: Sheet, hex: HexId): string {
  return corners(sheet, hex).map(spot).join(' ')
}

/** Path data around many hexes: the sides that only one of them has. */
export function rim(sheet: Sheet, hexes: Iterable<HexId>): string {
  const sides = new Map<string, string>()
  for (const hex of hexes) {
    const around = corners(sheet, hex)
    around.forEach((a, i) => {
      const b = around[(i + 1) % around.length]!
      const key = `${Math.round(a[0] + b[0])},${Math.round(a[1] + b[1])}` // twice the middle of the side, whoever has it
      if (!sides.delete(key)) sides.set(key, `M${spot(a)}L${spot(b)}`)
    })
  }
  return [...sides.values()].join('')
}

/** Path data of the outlines of many hexes at once. */
export function outlines(sheet: Sheet, hexes: Iterable<HexId>): string {
  let path = ''
  for (const hex of hexes) path += `M${corners(sheet, hex).map(spot).join('L')}Z`
  return path
}
