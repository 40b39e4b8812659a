import { expect, test } from 'vitest'
import { applied, type Change } from './changes'

test('a change leads from one value to the next', () => {
  const old = { line: 3, view: { pieces: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], control: { it: ['1912'] } }, gone: 1 }
  const change: Change = ['{', { line: ['=', 4], view: ['{', { pieces: ['[', [0, 1], [-1, { id: 'x' }, { id: 'y' }], [2, 1]] }] }, ['gone']]
  expect(applied(old, change)).toEqual({ line: 4, view: { pieces: [{ id: 'a' }, { id: 'x' }, { id: 'y' }, { id: 'c' }], control: { it: ['1912'] } } })
})

test('what has not changed is the very same, and what was there before is left as it was', () => {
  const old = { a: { deep: [1] }, list: [{ id: 'a' }, { id: 'b' }] }
  const next = applied(old, ['{', { list: ['[', [1, 1], [0, 1]] }]) as typeof old
  expect(next.a).toBe(old.a)
  expect(next.list[1]).toBe(old.list[0])
  expect(old.list.map((one) => one.id)).toEqual(['a', 'b'])
})

test('a value may be another altogether, an empty list too', () => {
  expect(applied({ offer: [1] }, ['{', { offer: ['=', null] }])).toEqual({ offer: null })
  expect(applied([1, 2], ['['])).toEqual([])
})
