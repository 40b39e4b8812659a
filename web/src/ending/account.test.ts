import { expect, it } from 'vitest'
import { bySide } from './account'

it('what each side took in a turn stands together, in its order', () => {
  const taken = [{ side: 'ah', hex: '1' }, { side: 'italian', hex: '2' }, { side: 'ah', hex: '3' }]
  expect(bySide(taken)).toEqual([
    ['ah', [{ side: 'ah', hex: '1' }, { side: 'ah', hex: '3' }]],
    ['italian', [{ side: 'italian', hex: '2' }]],
  ])
  expect(bySide([])).toEqual([])
})
