import { describe, expect, it } from 'vitest'
import { addOutcome, around, beat, groundOf, length, LONGEST, scene, type Beat } from './script'

describe('a scene', () => {
  it('is there only if something is told', () => {
    expect(scene([], ['0101'])).toBeNull()
  })

  it('is over in time, however much is told', () => {
    for (const n of [1, 3, 8, 15, 60]) {
      const found = scene(Array.from({ length: n }, () => beat('dice', '', { dice: [1], marks: [{ hex: '0101', text: '−1', tone: 'hurt' as const }] })), ['0101', '0101', ''])
      expect(length(found!)).toBeLessThanOrEqual(LONGEST + 15)
      expect(found!.hexes).toEqual(['0101'])
      // nothing that happens to the map is left out
      expect(found!.beats.flatMap((one) => one.marks)).toHaveLength(n)
    }
  })

  it('gives each of several fights its time, up to three', () => {
    const fight = [beat('clash', '', { opens: true }), ...Array.from({ length: 9 }, () => beat('dice', ''))]
    const long = [1, 2, 3, 4].map((n) => length(scene(Array.from({ length: n }, () => fight).flat(), ['0101'])!))
    expect(long.map((ms) => Math.round(ms / LONGEST))).toEqual([1, 2, 3, 3])
  })

  it('tells losses that come together in one beat', () => {
    const beats: Beat[] = [beat('dice', 'dice')]
    addOutcome(beats, 'A is lost', { marks: [{ hex: '0101', text: '✕', tone: 'gone' }] })
    addOutcome(beats, 'B goes back', { trips: [{ unit: 'b', path: ['0101', '0102'], gone: false }] })
    addOutcome(beats, 'B goes back', {})
    expect(beats.map(({ kind }) => kind)).toEqual(['dice', 'outcome'])
    expect(beats[1]!.text).toBe('A is lost\nB goes back')
    expect([beats[1]!.marks.length, beats[1]!.trips.length]).toEqual([1, 1])
  })
})

describe('where a fight lies', () => {
  const fight = (a: string, b: string): Beat[] => [beat('clash', '', { opens: true, arrows: [{ path: [a, b], kind: 'attack', force: 'ah' }] }), beat('dice', ''), beat('outcome', '', { marks: [{ hex: b, text: '', tone: 'hurt' }], trips: [{ unit: 'x', path: [b, `${b}+`], gone: false }] })]

  it('is all of the scene where it tells of one', () => {
    expect(groundOf({ hexes: ['1', '2', '9'], beats: fight('1', '2') }, 1)).toEqual(['1', '2', '9'])
  })

  it('is its own ground where several came together', () => {
    const both = { hexes: ['1', '2', '8', '9'], beats: [...fight('1', '2'), ...fight('8', '9')] }
    expect([0, 2, 3, 5].map((at) => groundOf(both, at).join(' '))).toEqual(['1 2 2+', '1 2 2+', '8 9 9+', '8 9 9+'])
  })
})

describe('the part of a table around a cell', () => {
  const heads = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const rows = [1, 2, 3, 4].map((n) => ({ head: String(n), cells: heads.map((head) => `${head}${n}`) }))
  it('has the cell where it says, also at the edges', () => {
    for (const column of [0, 3, 6]) {
      for (const row of [0, 2, 3]) {
        const found = around('t', heads, rows, column, row)
        expect(found.rows[found.row]!.cells[found.column]).toBe(`${heads[column]}${row + 1}`)
        expect([found.heads.length, found.rows.length]).toEqual([5, 3])
      }
    }
  })
})
