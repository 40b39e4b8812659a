import { expect, test } from 'vitest'
import { actsWith } from './acts'

test('a counter acts with its own formation, unless it follows another', () => {
  const of = actsWith({ family: { marks: { rommel: ['c'] }, attachments: { 'it-genova': ['b'] } } })
  const piece = (id: string) => ({ id, values: { formation: 'de-wgb' } })
  expect(['a', 'b', 'c'].map((id) => of(piece(id)))).toEqual(['de-wgb', 'it-genova', 'de-rommel'])
  expect(of({ id: 'd', values: {} })).toBe('')
  expect(actsWith({})(piece('c'))).toBe('de-wgb')
})
