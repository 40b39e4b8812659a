import { describe, expect, test } from 'vitest'
import type { Offer } from '../lib/types'
import { actionOf, movesOf, withMove } from './planned'

const offer = {
  actions: [],
  units: {
    a: { left: 6, reach: { '0102': { left: 4, path: ['0102'] }, '0103': { left: 2, path: ['0102', '0103'] } } },
    b: { left: 6, reach: { '0102': { left: 4, path: ['0102'] } } },
    c: { left: 6, reach: { '0103': { left: 0, path: ['0202', '0103'] } } },
  },
} as unknown as Offer

describe('a plan', () => {
  test('a unit has one move in it, the last', () => {
    const [first] = movesOf(offer, ['a'], '0101', '0102')
    const [second] = movesOf(offer, ['a'], '0101', '0103')
    expect(withMove(withMove([], first!), second!)).toEqual([second])
  })

  test('who cannot go there is left out', () => {
    expect(movesOf(offer, ['a', 'b'], '0101', '0103').map((one) => one.unit)).toEqual(['a'])
    expect(movesOf(offer, ['b'], '0101', '0103')).toEqual([])
  })

  test('those of one way go in one action where the game has it so, else one by one', () => {
    expect(movesOf(offer, ['a', 'b'], '0101', '0102').map((one) => [one.unit, one.along])).toEqual([['a', []], ['b', []]])
    const together = { ...offer, along: ['move'] } as Offer
    expect(movesOf(together, ['a', 'b'], '0101', '0102').map((one) => [one.unit, one.along])).toEqual([['a', ['b']]])
    expect(movesOf(together, ['a', 'c'], '0101', '0103')).toHaveLength(2) // by different ways
  })

  test('who is planned anew leaves those he was to go along with', () => {
    const together = { ...offer, along: ['move'] } as Offer
    const plan = withMove([], movesOf(together, ['a', 'b'], '0101', '0102')[0]!)
    expect(withMove(plan, movesOf(offer, ['b'], '0101', '0102')[0]!).map((one) => [one.unit, one.along])).toEqual([['a', []], ['b', []]])
  })

  test('a move is given by the way that the offer has now, or not at all', () => {
    const [move] = movesOf(offer, ['a'], '0101', '0103', 'n')
    const later = { ...offer, units: { a: { left: 6, reach: { '0103': { left: 1, path: ['0201', '0103'] } } } } } as unknown as Offer
    expect(actionOf(later, move!)).toEqual({ do: 'move', unit: 'a', path: ['0201', '0103'], facing: 'n' })
    expect(actionOf({ ...offer, units: {} }, move!)).toBeNull()
  })
})
