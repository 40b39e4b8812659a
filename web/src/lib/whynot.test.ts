import { expect, test } from 'vitest'
import type { WhyNot, WhyPart } from './types'
import { toldOnce } from './whynot'

const part = (obstacles: string[], helps: string[] = []): WhyPart => ({
  obstacles: obstacles.map((why) => ({ why, rule: '7.7', at: [] })),
  helps: helps.map((text) => ({ key: text, text, rule: '' })),
  single: true,
})
const why = (own: WhyPart, way: WhyPart, attack: WhyPart | null): WhyNot => ({ piece: 'a', hex: '1', path: [], gone: 0, own, way, attack })

test('one and the same reason is said once', () => {
  const told = toldOnce(why(part(['it does not act'], ['activate it']), part(['an enemy', 'it does not act', 'an enemy']), part(['it does not act'], ['activate it'])))
  expect(told.own.obstacles.map((one) => one.why)).toEqual(['it does not act'])
  expect(told.way.obstacles.map((one) => one.why)).toEqual(['an enemy'])
  expect(told.attack?.obstacles).toEqual([])
  expect(told.attack?.helps).toEqual([])
  expect(told.same).toBe(true)
})

test('who can attack is not said to be barred, and a reason of its own is told', () => {
  expect(toldOnce(why(part(['far']), part([]), part([]))).same).toBe(false)
  expect(toldOnce(why(part(['far']), part([]), null)).same).toBe(false)
  const told = toldOnce(why(part(['far']), part([]), part(['far', 'no guns'])))
  expect([told.same, told.attack?.obstacles.length]).toEqual([false, 1])
})
