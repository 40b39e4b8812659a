import { describe, expect, test } from 'vitest'
import { chosen, filled, type Namer } from './template'

const names: Namer = {
  unit: (id) => id.toUpperCase(),
  hex: (id) => `hex ${id}`,
  place: (where) => where,
  side: (name) => name,
  points: (parts) => `${parts}/4`,
  ratio: (column) => column.replace('.', ','),
  kind: (id) => (id === 'gun' ? 'artillery' : ''),
  has: (table, key) => table === 'halts' && key === 'artillery',
  word: (table, key) => (table === 'word' ? '&' : `${table}.${key}`),
}
const say = (template: string, data: Record<string, unknown>): string => filled(template, data, names)

describe('templates of a pack', () => {
  test('name things', () => {
    expect(say('{unit:unit} to {path:goal} by {path:way}', { unit: 'a', path: ['1', '2'] })).toBe('A to hex 2 by 1–hex 2')
    expect(say('{units:units}', { units: ['a', 'b', 'c'] })).toBe('A, B & C')
    expect(say('{force:side}, {left:points}, {n:signed}', { force: 'red', left: 3, n: 2 })).toBe('side.red, 3/4, +2')
    expect(say('{all:side}', { all: ['a', 'b', 'c'] })).toBe('side.a, side.b & side.c')
    expect(say('{hits:shares}', { hits: [['a', 2], ['b', 1]] })).toBe('A −2, B −1')
  })

  test('say of a unit what its kind does', () => {
    expect(say('{unit:kind/halts}', { unit: 'gun' })).toBe('halts.artillery')
    expect(say('{unit:kind/halts}', { unit: 'a' })).toBe('halts.other')
  })

  test('write numbers as people do', () => {
    expect(say('{n}, {n:#point|points}, {n:signed}', { n: -2 })).toBe('−2, −2 points, −2')
    const lead = '{n:<they lead|nobody leads|we lead}[ by {n:unsigned}]'
    expect([-3, 0, 2].map((n) => say(lead, { n }))).toEqual(['they lead by 3', 'nobody leads', 'we lead by 2'])
    expect(say('{column:ratio}', { column: '4.5:1' })).toBe('4,5:1')
    expect(say('{n:#punto|punti}', { n: 1.7 })).toBe('1,7 punti')
    expect(say('{corps:roman} Corps', { corps: '24' })).toBe('XXIV Corps')
  })

  test('count, and pick a form', () => {
    expect(say('{n:#gun|guns}', { n: 1 })).toBe('1 gun')
    expect(say('{at:#gun|guns} {at:=is|are}', { at: ['x', 'y'] })).toBe('2 guns are')
    expect(say('{n:#none|one|many}', { n: 0 })).toBe('none')
  })

  test('leave out what is not there', () => {
    const text = '[{units:units} {units:=goes|go}][{units:!}Nobody goes]'
    expect(say(text, { units: [] })).toBe('Nobody goes')
    expect(say(text, {})).toBe('Nobody goes')
    expect(say(text, { units: ['a'] })).toBe('A goes')
    expect(say('Release {unit:unit}[ at {hex:hex}]', { unit: 'a' })).toBe('Release A')
  })

  test('a table chooses by a field', () => {
    const entry = { by: 'use', hex: 'the hex', other: 'the rest' }
    expect(chosen(entry, { use: 'hex' })).toBe('the hex')
    expect(chosen(entry, { use: 'x' })).toBe('the rest')
    expect(chosen(undefined, {})).toBeUndefined()
  })
})
