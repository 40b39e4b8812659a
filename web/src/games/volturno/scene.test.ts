import { describe, expect, it } from 'vitest'
import { loreOf, told } from '../../stage/lore.test-help'
import { fight } from './scene'

const TABLES = {
  assault: { lowest: 3, assault: [['2', '-', 'R'], ['1', '-', 'R'], ['1', 'cc0', 'R'], ['cc1', 'cc0', 'W'], ['cc1', 'cc1', 'W'], ['cc0', 'cc1', 'W'], ['cc0', '1', 'B']], charge: [['3', '-', 'R'], ['2', '-', 'R'], ['1', '-', 'R'], ['1', 'cc0', 'W'], ['cc1', 'cc2', 'W'], ['cc0', 'cc2', 'W'], ['cc0', '2', 'B']] },
  fire: { levels: [[8, 1], [11, 2], [14, 3]] },
}
const SEEN = { 'g-spangaro': '2314', 'n-tir': '2215' }

describe('an assault', () => {
  const fresh = told(
    ['assaults', { unit: 'g-spangaro', hex: '2314', target: '2215' }],
    ['rolled', { what: 'assault_dice', dice: [2, 2] }],
    ['fought', { unit: 'g-spangaro', hex: '2314', target: '2215', dice: [2, 2], drm: 3, result: 'cc1/cc1 W' }],
    ['checked', { unit: 'n-tir', hex: '2215', dice: [2, 4], drm: 2, why: 'combat', levels: 0 }],
    ['checked', { unit: 'g-spangaro', hex: '2314', dice: [5, 6], drm: 1, why: 'combat', levels: 2 }],
    ['worsened', { unit: 'g-spangaro', hex: '2314', level: 2 }],
    ['combat_won', { side: 'napoletani' }],
  )
  it('has its dice, its line of the table, and the checks that follow', () => {
    const { beats, hexes } = fight(fresh, [], loreOf(SEEN, TABLES))!
    expect(beats.map(({ kind }) => kind)).toEqual(['clash', 'dice', 'cell', 'dice', 'dice', 'outcome'])
    expect(beats[0]!.arrows).toEqual([{ path: ['2314', '2215'], kind: 'attack', force: 'g' }])
    expect([beats[1]!.dice, beats[1]!.added]).toEqual([[2, 2], 3])
    const { cells } = beats[2]!
    expect([cells!.heads[cells!.column], cells!.rows[0]!.cells[cells!.column]]).toEqual(['7', 'cc1/cc1 W'])
    expect(beats[3]!.marks[0]).toMatchObject({ hex: '2215', tone: 'held' })
    expect(beats[4]!.marks[0]).toMatchObject({ hex: '2314', text: '−2' })
    expect(hexes).toEqual(['2314', '2215'])
  })

  it('of cavalry is read on its own line, also when it was told before that it charges', () => {
    const charged = told(['charges', { unit: 'n-hus', hex: '1920', target: '1921' }])
    const { beats } = fight(told(['fought', { unit: 'n-hus', hex: '1920', target: '1921', dice: [3, 4], drm: 0, result: 'cc1/cc2 W' }]), charged, loreOf({}, TABLES))!
    expect(beats[0]!.arrows).toHaveLength(1)
    expect(beats[1]!.cells!.rows[0]!.cells[beats[1]!.cells!.column]).toBe('cc1/cc2 W')
  })

  it('shows no cell where the table reads otherwise', () => {
    const { beats } = fight(told(['fought', { unit: 'g-x', hex: '1920', target: '1921', dice: [3, 4], drm: 0, result: '-/3 B' }]), [], loreOf({}, TABLES))!
    expect(beats[1]!.cells).toBeNull()
  })
})

it('fire lights up what it costs, and whoever breaks goes', () => {
  const { beats } = fight(told(['fired', { unit: 'n-tir', hex: '2215', at: '2314', dice: [6, 4], levels: 1, drm: 0 }], ['routed', { unit: 'g-spangaro', hex: '2314' }]), [], loreOf(SEEN, TABLES))!
  expect(beats[0]!.arrows[0]).toEqual({ path: ['2215', '2314'], kind: 'fire', force: 'n' })
  expect([beats[1]!.sum, beats[1]!.cells!.heads[beats[1]!.cells!.column]]).toEqual(['10', '8–10'])
  expect(beats[2]!.trips).toEqual([{ unit: 'g-spangaro', path: ['2314'], gone: true }])
})

it('whoever goes back unseen has an arrow and no name', () => {
  const { beats } = fight(told(['retreated', { unit: '', hex: '2016', path: ['2115', '2016'] }]), [], loreOf(SEEN))!
  expect([beats[0]!.arrows[0]!.kind, beats[0]!.trips[0]!.unit]).toEqual(['back', ''])
})

it('a march is no fight', () => {
  expect(fight(told(['moved', { unit: 'g-spangaro', hex: '2614', path: ['2613', '2614'] }], ['activation_done', {}]), [], loreOf(SEEN))).toBeNull()
})
