import { describe, expect, test } from 'vitest'
import { stepBefore, stepDue, type Learner } from './lesson'
import type { Happening, LessonStep } from './types'

const text = { en: 'a', it: 'b' }
const steps: LessonStep[] = [
  text,
  { ...text, until: [{ picked: 'it-a' }, { decision: 'combat' }] },
  { ...text, until: [{ event: 'moved', unit: 'it-a' }, { decision: 'combat' }] },
  { ...text, until: [{ turn: 3 }] },
  { ...text, last: true },
]
const happened = (kind: string, data: Record<string, unknown>): Happening => ({ line: 1, kind, rules: [], data, text: '' })
const nothing: Learner = { events: [], picked: new Set(), decision: 'movement', turn: 2 }

describe('a lesson', () => {
  test('a step without an end waits for the button', () => {
    expect(stepDue(steps, 0, { ...nothing, decision: 'combat' })).toBe(0)
  })

  test('a chosen unit ends its step, another does not', () => {
    expect(stepDue(steps, 1, { ...nothing, picked: new Set(['it-b']) })).toBe(1)
    expect(stepDue(steps, 1, { ...nothing, picked: new Set(['it-a']) })).toBe(2)
  })

  test('an event counts with its data', () => {
    expect(stepDue(steps, 2, { ...nothing, events: [happened('moved', { unit: 'it-b' })] })).toBe(2)
    expect(stepDue(steps, 2, { ...nothing, events: [happened('moved', { unit: 'it-a', path: [] })] })).toBe(3)
  })

  test('who goes ahead skips the steps between', () => {
    expect(stepDue(steps, 1, { ...nothing, decision: 'combat' })).toBe(3)
  })

  test('who takes back comes back to the step that was due then', () => {
    const came = [0, 0, 3, 3, 5]
    expect(stepBefore(came, 4, 5)).toBe(4)
    expect(stepBefore(came, 4, 4)).toBe(3)
    expect(stepBefore(came, 3, 2)).toBe(1)
    expect(stepBefore([], 3, 0)).toBe(3)
  })

  test('it stops at the last step', () => {
    expect(stepDue(steps, 3, { ...nothing, turn: 4 })).toBe(4)
  })
})
