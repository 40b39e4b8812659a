import { expect, test } from 'vitest'
import { isBetterHigh } from './keepoff'

const span = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom })
const frame = span(0, 0, 1000, 800)
const note = span(500, 600, 988, 788)

test('a note lies at the foot of the map unless it would cover what it speaks of there', () => {
  expect(isBetterHigh(note, frame, [])).toBe(false)
  expect(isBetterHigh(note, frame, [span(100, 650, 200, 750)])).toBe(false)
  expect(isBetterHigh(note, frame, [span(560, 650, 660, 750)])).toBe(true)
})

test('it stays where it is if it would cover as much elsewhere', () => {
  expect(isBetterHigh(note, frame, [span(560, 650, 660, 750), span(560, 50, 660, 150)])).toBe(false)
})
