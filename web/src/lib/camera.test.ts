import { describe, expect, it } from 'vitest'
import { centreOn, fit, fitBox, frameOn, inSight, keepInSight, MOST, onTheWay, toSheet, zoomAt } from './camera'

const sheet = { width: 2000, height: 1000 }
const window = { width: 1000, height: 800 }

describe('the camera', () => {
  it('fits the whole sheet', () => {
    const camera = fit(sheet, window, 0)
    expect(camera.scale).toBe(0.5)
    expect(camera.y).toBe(150)
  })

  it('fits a part of the sheet', () => {
    const camera = fitBox({ x: 100, y: 200, width: 400, height: 300 }, { width: 816, height: 616 })
    expect(camera.scale).toBe(2)
    expect(toSheet(camera, [8, 8])).toEqual([100, 200])
  })

  it('keeps the point under the pointer when zooming', () => {
    const before = { x: 10, y: 20, scale: 0.5 }
    const after = zoomAt(before, 2, [300, 200])
    expect(toSheet(after, [300, 200])).toEqual(toSheet(before, [300, 200]))
  })

  it('does not zoom without end', () => {
    expect(zoomAt({ x: 0, y: 0, scale: 1 }, 1000, [0, 0]).scale).toBe(MOST)
  })

  it('never loses the sheet', () => {
    expect(keepInSight({ x: 9000, y: -9000, scale: 1 }, sheet, window)).toEqual({ x: 60, y: -260, scale: 1 })
    expect(keepInSight({ x: -500, y: 0, scale: 0.25 }, sheet, window).x).toBe(-60)
  })

  it('brings a point into the middle', () => {
    const camera = centreOn({ x: 0, y: 0, scale: 1 }, [700, 300], window)
    expect(toSheet(camera, [500, 400])).toEqual([700, 300])
    expect(inSight(camera, [700, 300], window)).toBe(true)
    expect(inSight(camera, [0, 0], window)).toBe(false)
  })
})

describe('framing', () => {
  const window = { width: 800, height: 400 }

  it('centres points at the wanted scale, or smaller where they need more room', () => {
    const near = frameOn([[100, 100], [200, 100]], window, 0.6)
    expect(near.scale).toBe(0.6)
    expect(toSheet(near, [400, 200])).toEqual([150, 100])
    const wide = frameOn([[0, 0], [2000, 0]], window, 0.6)
    expect(wide.scale).toBeLessThan(0.6)
    expect(inSight(wide, [0, 0], window, 10) && inSight(wide, [2000, 0], window, 10)).toBe(true)
  })

  it('a way between two views begins and ends with them', () => {
    const [from, to] = [{ x: 0, y: 0, scale: 0.5 }, { x: 100, y: -40, scale: 1 }]
    expect(onTheWay(from, to, 0)).toEqual(from)
    expect(onTheWay(from, to, -0.2)).toEqual(from)
    expect(onTheWay(from, to, 1)).toEqual(to)
  })
})
