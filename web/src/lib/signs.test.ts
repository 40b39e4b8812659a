import { describe, expect, it } from 'vitest'
import { centre, type Sheet } from './geometry'
import { isOver, placed } from './signs'

const sheet: Sheet = {
  grid: { columns: [1, 9], rows: [1, 9], odd_columns_lower: true },
  picture: { width: 900, height: 900, x0: 72, y0: 72, dx: 83.138, dy: 96 },
}
const look = {
  signs: { destroyed: { symbol: 'cross', crossing: true }, pontoon: { symbol: 'pontoon' }, quiet: {} },
  unknown: { symbol: 'marker' },
  beside: [-0.2, 0.2],
  pointing: 0.5,
  around: [[0.3, 0.3], [-0.3, 0.3]] as [number, number][],
  crossings: { '0202/0203': [10, 20] as [number, number] },
}

describe('signs', () => {
  it('lie over the counters where they point somewhere, or are a unit between two hexes', () => {
    expect(isOver({ kind: 'quiet', at: '0202', facing: 1 })).toBe(true)
    expect(isOver({ kind: 'pontoon', at: '0202/0203', piece: 'it-pont-2' })).toBe(true)
    expect(isOver({ kind: 'destroyed', at: '0202/0203' })).toBe(false)
    expect(isOver({ kind: 'quiet', at: '0202', piece: 'it-pont-2' })).toBe(false)
  })

  it('lie on the bridge of their hexside, whichever way it is written', () => {
    for (const at of ['0202/0203', '0203/0202']) expect(placed(sheet, look, [{ kind: 'destroyed', at }])).toMatchObject([{ symbol: 'cross', x: 10, y: 20 }])
  })

  it('leave a bridge free, and take the middle where there is none', () => {
    const [x] = centre(sheet, '0202')
    const at = (one: string) => placed(sheet, look, [{ kind: 'pontoon', at: one }])[0]!
    expect(at('0202/0203').x).not.toBeCloseTo(x)
    expect(at('0203/0204').x).toBeCloseTo(x)
    expect(at('0203/0204').turn).toBeCloseTo(90)
  })

  it('stand beside each other, and one that nobody described is a marker', () => {
    const [first, second] = placed(sheet, look, [{ kind: 'mine', at: '0303' }, { kind: 'mine', at: '0303' }])
    expect([first!.symbol, first!.turn]).toEqual(['marker', 0])
    expect(first!.x - second!.x).toBeCloseTo(0.6 * 96)
  })

  it('that point at a hexside lie over it', () => {
    const [x, y] = centre(sheet, '0303')
    const at = (facing: number) => placed(sheet, look, [{ kind: 'mine', at: '0303', facing }])[0]!
    expect([at(0).x - x, at(0).y - y, at(0).turn]).toEqual([expect.closeTo(0), expect.closeTo(-48), -90])
    expect([at(3).y - y, at(3).turn]).toEqual([expect.closeTo(48), 90])
    expect(at(2).x).toBeGreaterThan(x)
    expect(at(2).y).toBeGreaterThan(y)
  })

  it('are not drawn where the pack says so', () => {
    expect(placed(sheet, look, [{ kind: 'quiet', at: '0303' }])).toEqual([])
  })
})
