import { expect, test } from 'vitest'
import { outOfSight, remember, type Memory } from './lastseen'
import type { Piece, View } from './types'

const view = (turn: number, pieces: Piece[], seat = 'red'): View => ({ game: 'g', scenario: 's', stage: { turn, phase: 'move' }, seat, pieces })
const foe = (id: string, at: string): Piece => ({ force: 'blue', at, id })
const stranger = (at: string): Piece => ({ force: 'blue', at })
const own = (at: string): Piece => ({ force: 'red', at, id: 'mine', mine: true })
const after = (...views: View[]): Memory => views.reduce<Memory>(remember, {})
const where = (memory: Memory, now: View): [string, string, number][] =>
  [...outOfSight(memory, now)].flatMap(([hex, all]) => all.map(({ seen, turn }): [string, string, number] => [hex, seen.id ?? '', turn]))

test('an enemy that is covered now is where it was seen last', () => {
  const now = view(2, [stranger('0102'), own('0105')])
  expect(where(after(view(1, [foe('a', '0102')]), now), now)).toEqual([['0102', 'a', 1]])
})

test('whoever is seen is no ghost, wherever he is', () => {
  const now = view(2, [foe('a', '0103')])
  expect(where(after(view(1, [foe('a', '0102')]), now), now)).toEqual([])
})

test('who is known to be off the map is forgotten', () => {
  const gone = view(1, [foe('a', 'eliminated')])
  const now = view(2, [])
  expect(where(after(view(1, [foe('a', '0102')]), gone, now), now)).toEqual([])
})

test('where a unit of one’s own stands nobody else is', () => {
  const now = view(1, [own('0102')])
  expect(where(after(view(1, [foe('a', '0102')]), now), now)).toEqual([])
})

test('who has left a hex under one’s eyes is no ghost there; he stays where somebody could hide him', () => {
  const seen = view(1, [foe('a', '0102'), foe('b', '0202')])
  const gone = view(1, [stranger('0103'), stranger('0202')])
  expect(where(after(seen, gone), gone)).toEqual([['0202', 'b', 1]])
  const later = view(5, [stranger('0202')])
  expect(where(after(seen, later), later)).toEqual([['0202', 'b', 1]])
})

test('what was taken back was not seen', () => {
  const back = view(1, [])
  expect(where(after(view(2, [foe('a', '0102')]), back), back)).toEqual([])
})

test('who only looks on remembers nothing, and one’s own are never ghosts', () => {
  expect(after(view(1, [foe('a', '0102')], ''))).toEqual({})
  expect(after(view(1, [own('0102')]))).toEqual({})
})

test('no more is kept than what was seen of the counter', () => {
  const [sighting] = Object.values(after(view(1, [{ ...foe('a', '0102'), face: 1, values: { ce: 2 }, marks: ['hit'] }])))
  expect(sighting).toEqual({ turn: 1, seen: { force: 'blue', at: '0102', id: 'a', face: 1 } })
})
