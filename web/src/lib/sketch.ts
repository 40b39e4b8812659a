/** The small picture of a match: who holds what, where the front runs, and where counters stand. */

import { centre, corners, hexName, neighbours, rowOf, columnOf, sideEnds, type Sheet } from './geometry'
import type { HexId, Sketch } from './types'

export interface Cell {
  hex: HexId
  /** Which force holds it, by its number. */
  force: number
  /** Counters of that force stand there. */
  stands: boolean
}

/** The cells that somebody holds or stands in. */
export function cellsOf(sketch: Sketch): Cell[] {
  const found: Cell[] = []
  const [column, row] = [columnOf(sketch.first), rowOf(sketch.first)]
  let place = 0
  for (const [, count, letter = '.'] of sketch.cells.matchAll(/(\d*)(\D)/g)) {
    const many = count ? Number(count) : 1
    for (let i = 0; i < many; i += 1, place += 1) {
      if (letter === '.') continue
      const force = letter.toLowerCase().charCodeAt(0) - 97
      found.push({ hex: hexName(column + Math.floor(place / sketch.rows), row + (place % sketch.rows)), force, stands: letter < 'a' })
    }
  }
  return found
}

/** The hexsides between ground of different forces, each once. */
export function frontOf(cells: readonly Cell[], sheet: Sheet): [HexId, HexId][] {
  const held = new Map(cells.map((cell) => [cell.hex, cell.force]))
  const found: [HexId, HexId][] = []
  for (const { hex, force } of cells) {
    for (const other of neighbours(sheet.grid, hex)) {
      if (other && hex < other && held.has(other) && held.get(other) !== force) found.push([hex, other])
    }
  }
  return found
}

/** The part of the sheet that a picture of this shape shows: all ground that is held, in the middle. */
export function frameOf(cells: readonly Cell[], sheet: Sheet, shape?: number): { x: number; y: number; width: number; height: number } {
  const { width, height, dx, dy } = sheet.picture
  if (!cells.length) return fitted({ x: 0, y: 0, width, height }, shape)
  /** Where there is ground beside it, ground is shown. */
  const within = (from: number, size: number, all: number): number => (size >= all ? (all - size) / 2 : Math.min(Math.max(0, from), all - size))
  const points = cells.map((cell) => centre(sheet, cell.hex))
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])]
  const [x, y] = [Math.max(0, Math.min(...xs) - dx), Math.max(0, Math.min(...ys) - dy)]
  const box = fitted({ x, y, width: Math.min(width, Math.max(...xs) + dx) - x, height: Math.min(height, Math.max(...ys) + dy) - y }, shape)
  return { ...box, x: within(box.x, box.width, width), y: within(box.y, box.height, height) }
}

/** A box of this shape (width to height) around another. */
function fitted(box: { x: number; y: number; width: number; height: number }, shape = box.width / box.height): { x: number; y: number; width: number; height: number } {
  const width = Math.max(box.width, box.height * shape)
  const height = Math.max(box.height, box.width / shape)
  return { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height }
}

/** Draw it on a canvas, over the relief; in the same frame as those it is to be compared with. */
export function paint(canvas: HTMLCanvasElement, relief: HTMLImageElement | null, sketch: Sketch, sheet: Sheet, beside: readonly Sketch[] = []): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  const cells = cellsOf(sketch)
  const frame = frameOf([...cells, ...beside.flatMap(cellsOf)], sheet, canvas.width / canvas.height)
  const scale = canvas.width / frame.width
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.fillStyle = '#d9cfb4'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.setTransform(scale, 0, 0, scale, -frame.x * scale, -frame.y * scale)
  if (relief) pen.drawImage(relief, 0, 0, sheet.picture.width, sheet.picture.height)
  for (const cell of cells) {
    const ink = sketch.inks[cell.force] ?? '#555'
    const [first, ...rest] = corners(sheet, cell.hex)
    if (!first) continue
    pen.beginPath()
    pen.moveTo(...first)
    for (const corner of rest) pen.lineTo(...corner)
    pen.closePath()
    pen.globalAlpha = 0.3
    pen.fillStyle = ink
    pen.fill()
  }
  pen.globalAlpha = 1
  pen.lineCap = 'round'
  const front = frontOf(cells, sheet)
  for (const [width, colour] of [[5, '#fffdf5'], [2.5, '#1d1a16']] as const) {
    pen.lineWidth = width / scale
    pen.strokeStyle = colour
    pen.beginPath()
    for (const [a, b] of front) {
      const [from, to] = sideEnds(sheet, a, b)
      pen.moveTo(...from)
      pen.lineTo(...to)
    }
    pen.stroke()
  }
  const size = Math.max(5 / scale, sheet.picture.dy * 0.5)
  pen.lineWidth = 1 / scale
  pen.strokeStyle = '#fffdf5'
  for (const cell of cells.filter((one) => one.stands)) {
    const [x, y] = centre(sheet, cell.hex)
    pen.fillStyle = sketch.inks[cell.force] ?? '#555'
    pen.beginPath()
    // so that colour alone tells nothing
    if (cell.force % 2) pen.arc(x, y, size / 2, 0, 2 * Math.PI)
    else pen.rect(x - size / 2, y - size / 2, size, size)
    pen.fill()
    pen.stroke()
  }
}

const RELIEFS = new Map<string, Promise<HTMLImageElement | null>>()

/** The relief of a game, fetched once for all pictures. */
export function reliefOf(address: string): Promise<HTMLImageElement | null> {
  const known = RELIEFS.get(address)
  if (known) return known
  const asked = new Promise<HTMLImageElement | null>((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => resolve(null)
    image.src = address
  })
  RELIEFS.set(address, asked)
  return asked
}
