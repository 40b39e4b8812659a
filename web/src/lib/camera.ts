/** Pan and zoom: where the sheet lies in the window. A point p of the sheet is at scale * p + (x, y). */

import type { Point } from './geometry'

export interface Camera {
  x: number
  y: number
  scale: number
}

export interface Size {
  width: number
  height: number
}

export const LEAST = 0.12
export const MOST = 3

/** The whole sheet, as large as the window allows. */
export function fit(sheet: Size, window: Size, margin = 8): Camera {
  const scale = clampScale(
    Math.min((window.width - 2 * margin) / sheet.width, (window.height - 2 * margin) / sheet.height),
  )
  return { scale, x: (window.width - sheet.width * scale) / 2, y: (window.height - sheet.height * scale) / 2 }
}

/** A part of the sheet, as large as the window allows. */
export function fitBox(box: Size & { x: number; y: number }, window: Size): Camera {
  const camera = fit(box, window)
  return { ...camera, x: camera.x - box.x * camera.scale, y: camera.y - box.y * camera.scale }
}

export function clampScale(scale: number): number {
  return Math.min(MOST, Math.max(LEAST, scale))
}

/** Zoom by a factor so that the point of the window under `at` stays where it is. */
export function zoomAt(camera: Camera, factor: number, at: Point): Camera {
  const scale = clampScale(camera.scale * factor)
  const k = scale / camera.scale
  return { scale, x: at[0] - (at[0] - camera.x) * k, y: at[1] - (at[1] - camera.y) * k }
}

/** Keep the sheet in the window: no empty margin wider than this where the sheet is larger than the window. */
export function keepInSight(camera: Camera, sheet: Size, window: Size, margin = 60): Camera {
  return {
    ...camera,
    x: keep(camera.x, sheet.width * camera.scale, window.width, margin),
    y: keep(camera.y, sheet.height * camera.scale, window.height, margin),
  }
}

function keep(at: number, length: number, room: number, margin: number): number {
  if (length <= room) return Math.min(room - length + margin, Math.max(-margin, at))
  return Math.min(margin, Math.max(room - length - margin, at))
}

/** Put this point of the sheet into the middle of the window. */
export function centreOn(camera: Camera, point: Point, window: Size, scale = camera.scale): Camera {
  return { scale, x: window.width / 2 - point[0] * scale, y: window.height / 2 - point[1] * scale }
}

/** These points of the sheet with some ground around them, at this scale unless they need more room. */
export function frameOn(points: readonly Point[], window: Size, scale: number, around = 70): Camera {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])]
  const [left, top] = [Math.min(...xs) - around, Math.min(...ys) - around]
  const [wide, high] = [Math.max(...xs) + around - left, Math.max(...ys) + around - top]
  const fits = Math.min(window.width / wide, window.height / high)
  return centreOn({ x: 0, y: 0, scale }, [left + wide / 2, top + high / 2], window, clampScale(Math.min(scale, fits)))
}

/** So far on the way from one view to another. A first frame may bear a time before the way began: then nothing is done of it. */
export function onTheWay(from: Camera, to: Camera, share: number): Camera {
  const eased = 1 - (1 - Math.max(0, share)) ** 3
  const mix = (a: number, b: number): number => a + (b - a) * eased
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) }
}

export function toSheet(camera: Camera, at: Point): Point {
  return [(at[0] - camera.x) / camera.scale, (at[1] - camera.y) / camera.scale]
}

export function toWindow(camera: Camera, point: Point): Point {
  return [point[0] * camera.scale + camera.x, point[1] * camera.scale + camera.y]
}

/** Is this point of the sheet well inside the window? */
export function inSight(camera: Camera, point: Point, window: Size, margin = 50): boolean {
  const [x, y] = toWindow(camera, point)
  return x > margin && y > margin && x < window.width - margin && y < window.height - margin
}
