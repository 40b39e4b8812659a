import { describe, expect, test } from 'vitest'
import { cellsOf, frameOf, frontOf } from './sketch'
import type { Sketch } from './types'

const sheet = {
  grid: { columns: [8, 10] as [number, number], rows: [1, 3] as [number, number], odd_columns_lower: true },
  picture: { file: '', width: 300, height: 300, x0: 50, y0: 50, dx: 80, dy: 90 },
}
const sketch: Sketch = { first: '0801', rows: 3, cells: '2aB.AbB2.', inks: ['green', 'red'] }

describe('the small picture of a match', () => {
  test('runs of letters are hexes, column by column', () => {
    expect(cellsOf(sketch)).toEqual([
      { hex: '0801', force: 0, stands: false },
      { hex: '0802', force: 0, stands: false },
      { hex: '0803', force: 1, stands: true },
      { hex: '0902', force: 0, stands: true },
      { hex: '0903', force: 1, stands: false },
      { hex: '1001', force: 1, stands: true },
    ])
  })

  test('the front runs between ground of both, each hexside once', () => {
    const front = frontOf(cellsOf(sketch), sheet)
    expect(front).toContainEqual(['0802', '0803'])
    expect(front).toContainEqual(['0902', '0903'])
    expect(new Set(front.map(String)).size).toBe(front.length)
    expect(front.some(([a, b]) => a === '0801' && b === '0802')).toBe(false)
  })

  test('what is held fills the picture, in its shape', () => {
    const frame = frameOf(cellsOf(sketch), sheet, 1.5)
    expect(frame.width / frame.height).toBeCloseTo(1.5)
    expect(frameOf([], sheet, 1)).toEqual({ x: 0, y: 0, width: 300, height: 300 })
  })
})
