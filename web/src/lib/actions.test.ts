import { expect, test } from 'vitest'
import { hexOf, togetherFirst, unitsOf } from './actions'

test('an action is about a hex only where it names one', () => {
  expect(hexOf({ do: 'go', hex: '3018' })).toBe('3018')
  expect(hexOf({ do: 'retreat', path: ['2411', '2510'] })).toBe('2510')
  expect(hexOf({ do: 'declare', unit: 'a', at: '3029', target: '3128' })).toBe('3029')
  expect(hexOf({ do: 'hand', unit: 'de-flame-ak', to: 'de-leib-3' })).toBe('')
})

test('who must go together is offered to go together first', () => {
  const one = (to: string, ...units: string[]) => ({ do: 'retreat', units, to })
  const all = [one('2506', 'a'), one('2506', 'b'), one('2507', 'a'), one('2506', 'a', 'b'), one('2507', 'a', 'b')]
  expect(togetherFirst(all).map((action) => [action.to, unitsOf(action).length])).toEqual([['2506', 2], ['2507', 2], ['2506', 1], ['2506', 1], ['2507', 1]])
  const others = [{ do: 'hold' }, one('2506', 'a', 'b')]
  expect(togetherFirst(others)).toEqual(others)
})
