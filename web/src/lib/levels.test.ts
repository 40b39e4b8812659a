import { expect, test } from 'vitest'
import { firstLevel, levelOf, levelWords, usualLevel, type Level } from './levels'

const level = (id: string): Level => ({ id, name: { en: id, it: id }, about: { en: '', it: '' }, timed: id.includes(':') })
const players = [level('random'), level('steady'), level('planner:2s')]

test('a level is found by its name, with or without its time', () => {
  expect(levelOf(players, 'steady')?.id).toBe('steady')
  expect(levelOf(players, 'planner:10s')?.id).toBe('planner:2s')
  expect(levelOf(players, 'nobody')).toBeUndefined()
})

test('a first evening is against the recruit, where the game has him', () => {
  expect(firstLevel([level('random'), level('recruit'), level('steady')])?.id).toBe('recruit')
  expect(firstLevel(players)?.id).toBe('steady')
})

test('the steady one is offered first, or the best there is', () => {
  expect(usualLevel(players)?.id).toBe('steady')
  expect(usualLevel([level('random')])?.id).toBe('random')
  expect(usualLevel([])).toBeUndefined()
})

test('a level tells how long it may think', () => {
  expect(levelWords(players, 'planner:10s')).toBe('planner:2s, 10 s')
  expect(levelWords(players, 'steady')).toBe('steady')
})
