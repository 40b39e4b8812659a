import { expect, test } from 'vitest'
import type { Table } from './types'
import { mover, opened } from './ways'

const WAYS = { hexes: ['1912', '1913', '2013', '1911'], before: [-1, 0, 1, -1], left: [18, -1, 6, 0] }

test('a way is found by going back from its end', () => {
  const { reach } = mover({ left: 24, ways: WAYS })
  expect(Object.keys(reach).sort()).toEqual(['1911', '1912', '2013'])
  expect(reach['2013']?.path).toEqual(['1912', '1913', '2013'])
  expect(reach['2013']?.left).toBe(6)
  expect(reach['1911']?.path).toEqual(['1911'])
  expect(reach['1911']?.left).toBe(0)
  expect({ ...reach['2013'], left: 1 }).toEqual({ left: 1, path: ['1912', '1913', '2013'] })
})

test('a hex that is passed on the way to one and reached by another has its own way', () => {
  const { reach } = mover({ left: 9, ways: { hexes: ['0101', '0102', '0103', '0102'], before: [-1, 0, 1, -1], left: [-1, -1, 2, 4] } })
  expect(reach['0102']?.path).toEqual(['0102'])
  expect(reach['0103']?.path).toEqual(['0101', '0102', '0103'])
})

test('pieces that are sent as before are the same; ways that are sent whole are taken as they are', () => {
  const sent = { left: 24, ways: WAYS }
  expect(mover(sent)).toBe(mover(sent))
  const whole = { left: 4, reach: { '0101': { left: 2, path: ['0101'] } } }
  const table = { offer: { actions: [], units: { a: sent, b: whole } } } as unknown as Table
  expect(opened(table).offer?.units?.b).toEqual(whole)
  expect(opened(table).offer?.units?.a?.reach['1912']?.path).toEqual(['1912'])
  expect(opened({ offer: null } as unknown as Table).offer).toBeNull()
})
