import { describe, expect, it } from 'vitest'
import { find, groups } from './find'
import type { Piece } from './pieces'

const piece = (id: string, hex: string, values: Piece['values'] = {}, known = true): Piece => ({ id, hex, known, side: 'italian', own: true, square: true, colour: '', ink: '', counter: { id, side: 'italian', name: id, full_name: `Battaglione ${id}` }, reduced: false, values, shows: {}, parts: [], text: '', marks: [], facing: null, order: 0 })
const names = { unit: (id: string) => id, word: (_: string, key: string) => (key === 'ah-sch3' ? 'Schützen Regiment 3' : key), hex: (id: string) => (id === '1010' ? '1010 Caporetto' : id) }

describe('finding counters', () => {
  const all = [piece('I/87', '1010', { formation: 'it-friuli', division: '50' }), piece('II/3', '1111', { formation: 'ah-sch3', division: '22' }), piece('off', 'eliminated', { division: '22' }), piece('?1', '1010', {}, false)]
  const ids = (text: string): string[] => find(text, all, names).map((one) => one.id)

  it('goes by name, formation, division and place, whatever the accents', () => {
    expect(ids('i/87')).toEqual(['I/87'])
    expect(ids('schutzen')).toEqual(['II/3'])
    for (const text of ['22 division', 'division 22', 'div. 22', '22ª Divisione', 'divisione 22 schutzen']) expect(ids(text)).toEqual(['II/3'])
    expect(ids('divisione 2')).toEqual([])
    expect(ids('battaglione')).toEqual(['I/87', 'II/3'])
    expect(ids('CAPORETTO')).toEqual(['I/87'])
    expect(find("sant'angelo", all, { ...names, hex: () => 'Sant’Angelo' }).length).toBe(2)
  })
  it('finds nothing for nothing, and never who is not known', () => {
    expect(ids('  ')).toEqual([])
    expect(ids('?1')).toEqual([])
  })
})

describe('a stack in groups', () => {
  const stack = { hex: '1010', pieces: [piece('a', '1010', { formation: 'f' }), piece('g1', '1010', { class: 'hv' }), piece('b', '1010', { formation: 'f' }), piece('g2', '1010', { class: 'hv' })] }

  it('has one for a formation and one for guns of a class, the topmost last', () => {
    expect(groups(stack).map(({ piece: { id }, n }) => [id, n])).toEqual([['b', 2], ['g2', 2]])
  })
  it('shows who is chosen', () => {
    expect(groups(stack, (id) => (id === 'a' ? 2 : 0)).map(({ piece: { id } }) => id)).toEqual(['g2', 'a'])
  })
})
