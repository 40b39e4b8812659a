import { describe, expect, it } from 'vitest'
import { boxOf, centre, corners, frontPath, hexAt, isArrow, neighbours, rim, sideEnds, sidePath, stepTo, wayPath, type Sheet } from './geometry'

const sheet: Sheet = {
  grid: { columns: [8, 34], rows: [1, 18], odd_columns_lower: true },
  picture: { width: 2306, height: 1824, x0: 72, y0: 72, dx: 83.138, dy: 96 },
}

const evenLower: Sheet = { ...sheet, grid: { ...sheet.grid, odd_columns_lower: false } }

describe('hexes on the sheet', () => {
  it('odd columns lie half a hex lower', () => {
    expect(centre(sheet, '0801')).toEqual([72, 72])
    expect(centre(sheet, '0901')[1]).toBe(120)
  })

  it('on other boards the even columns do', () => {
    expect(centre(evenLower, '0801')).toEqual([72, 120])
    expect(centre(evenLower, '0901')[1]).toBe(72)
  })

  it('the rim of some hexes leaves out the sides that two of them share', () => {
    const sides = (hexes: string[]): number => rim(sheet, hexes).split('M').length - 1
    expect(sides(['0801'])).toBe(6)
    expect(sides(['0801', '0802'])).toBe(10)
    expect(sides(['1003', ...neighbours(sheet.grid, '1003').filter((hex) => hex !== null)])).toBe(18)
  })

  it('a box holds both its hexes', () => {
    const box = boxOf(sheet, ['0801', '1003'])
    expect([box.y, box.height]).toEqual([24, 288])
    expect(box.x + box.width / 2).toBeCloseTo(centre(sheet, '0901')[0])
  })

  it.each([sheet, evenLower])('every hex is found again at its centre and near its corners', (sheet) => {
    for (let column = 8; column <= 34; column += 1) {
      for (let row = 1; row <= 18; row += 1) {
        const hex = `${String(column).padStart(2, '0')}${String(row).padStart(2, '0')}`
        const [x, y] = centre(sheet, hex)
        expect(hexAt(sheet, [x, y])).toBe(hex)
        for (const [cx, cy] of corners(sheet, hex)) expect(hexAt(sheet, [x + (cx - x) * 0.9, y + (cy - y) * 0.9])).toBe(hex)
      }
    }
  })

  it('nothing is found far outside', () => {
    expect(hexAt(sheet, [-200, -200])).toBeNull()
  })

  it('neighbours are those of the rulebook’s grid', () => {
    // of column c, row r: (c, r-1), (c, r+1), and in c-1 and c+1 rows r and r+1 if c is odd, r-1 and r if it is even
    expect(neighbours(sheet.grid, '2312')).toEqual(['2311', '2412', '2413', '2313', '2213', '2212'])
    expect(neighbours(sheet.grid, '2412')).toEqual(['2411', '2511', '2512', '2413', '2312', '2311'])
    expect(neighbours(sheet.grid, '0801')[0]).toBeNull()
    expect(neighbours(evenLower.grid, '2312')).toEqual(['2311', '2411', '2412', '2313', '2212', '2211'])
    expect(neighbours(evenLower.grid, '2412')).toEqual(['2411', '2512', '2513', '2413', '2313', '2312'])
  })

  it.each([sheet, evenLower])('arrow keys keep to the row and come back', ({ grid }) => {
    for (const hex of ['2312', '2412']) {
      const right = stepTo(grid, hex, 'ArrowRight')
      expect(right?.slice(2)).toBe('12')
      expect(stepTo(grid, right ?? '', 'ArrowLeft')).toBe(hex)
      expect(stepTo(grid, hex, 'ArrowUp')).toBe(`${hex.slice(0, 2)}11`)
      expect(stepTo(grid, hex, 'ArrowDown')).toBe(`${hex.slice(0, 2)}13`)
    }
    expect(stepTo(grid, '3405', 'ArrowRight')).toBeNull()
    expect([isArrow('ArrowUp'), isArrow('Enter')]).toEqual([true, false])
  })

  it.each([sheet, evenLower])('neighbours share a hexside of the right length', (sheet) => {
    for (const next of neighbours(sheet.grid, '2312')) {
      const [p, q] = sideEnds(sheet, '2312', next ?? '')
      expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeCloseTo(55.43, 0)
    }
  })

  it('a hexside is a line between its corners', () => {
    expect(sidePath(sheet, '0801/0802')).toBe('M44.3,120L99.7,120')
  })

  it('a front runs along the hexsides around the one that is looked at', () => {
    const [x, y] = centre(sheet, '0803')
    const round = (n: number): number => Math.round(n * 10) / 10
    const around = corners(sheet, '0803').map(([cx, cy]) => `${round(x + (cx - x) / 2)},${round(y + (cy - y) / 2)}`)
    expect(frontPath(sheet, '0803', 0, 3, 0.5)).toBe(`M${[around[5], around[0], around[1], around[2]].join('L')}`)
    expect(frontPath(sheet, '0803', 3, 1, 0.5)).toBe(`M${[around[3], around[4]].join('L')}`)
  })

  it('a way is a line through its hexes', () => {
    expect(wayPath(sheet, ['0801', '0802'])).toBe('M72,72L72,168')
  })
})
