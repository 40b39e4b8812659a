import { describe, expect, test } from 'vitest'
import { curve, LONGEST_NOTE, nothing, readDrawn, without, withArrow, withNote } from './drawn'

describe('what one draws on the map', () => {
  test('is read again as it was kept', () => {
    const drawn = withNote(withArrow(nothing(), ['0101', '0102', '0103'], 1), '0505', ' hold this ')
    expect(readDrawn(JSON.stringify(drawn))).toEqual(drawn)
    expect(drawn.notes['0505']).toBe('hold this')
  })

  test('whatever is no drawing is left out', () => {
    expect(readDrawn(null)).toEqual(nothing())
    expect(readDrawn('{')).toEqual(nothing())
    expect(readDrawn('[1]')).toEqual(nothing())
    expect(readDrawn('{"arrows": [null, {"way": ["0101"]}, {"way": ["0101", "x"]}, {"way": ["0101", "0102"], "ink": 99}], "notes": {"0101": 3, "here": "a", "0102": "b"}}')).toEqual({ arrows: [{ way: ['0101', '0102'], ink: 0 }], notes: { '0102': 'b' } })
  })

  test('it is bounded', () => {
    let drawn = nothing()
    for (let i = 0; i < 300; i += 1) drawn = withArrow(drawn, ['0101', '0102'], 0)
    expect(drawn.arrows.length).toBeLessThan(200)
    expect(withNote(nothing(), '0101', 'x'.repeat(500)).notes['0101']).toHaveLength(LONGEST_NOTE)
  })

  test('the rubber takes a note first, then the last arrow that crosses the hex', () => {
    const drawn = withNote(withArrow(withArrow(nothing(), ['0101', '0102'], 0), ['0102', '0103'], 2), '0102', 'here')
    const once = without(drawn, '0102')
    expect(once.notes).toEqual({})
    expect(without(once, '0102').arrows).toEqual([{ way: ['0101', '0102'], ink: 0 }])
    expect(without(once, '0909')).toEqual(once)
  })

  test('an arrow is straight between two points, and rounded through more', () => {
    expect(curve([[0, 0], [10, 0]])).toBe('M0,0L10,0')
    expect(curve([[0, 0], [10, 0], [10, 10]])).toBe('M0,0Q10,0 10,10')
    expect(curve([[0, 0]])).toBe('')
  })
})
