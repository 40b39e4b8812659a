import { describe, expect, it } from 'vitest'
import { loreOf, told } from '../../stage/lore.test-help'
import { battle } from './scene'

const unit = (id: string, hex: string, attack: number, defence: number): object => ({ id, hex, attack, defence })
const ATTACKERS = [unit('it-forli', '2413', 6, 5), unit('it-girgenti', '2413', 6, 5), unit('it-gaeta', '2513', 6, 5)]
const DEFENDERS = [unit('ah-62a', '2512', 4, 5), unit('ah-62b', '2512', 4, 5)]
const DECLARED = told(['declared', { target: '2512', attackers: ATTACKERS, guns: ['it-art'] }])
const columns = ['1:1', '1.5:1', '2:1', '3:1', '4:1', '5:1']
const crt: Record<string, unknown> = { columns, row_5: columns.map((_, i) => [1, 0, i, 1]), row_6: columns.map(() => [0, 0, 0, 0]), row_4: columns.map(() => [0, 0, 0, 0]) }
const SEEN = { 'it-forli': '2413', 'it-girgenti': '2413', 'it-gaeta': '2513', 'it-art': '2414', 'ah-62a': '2512', 'ah-gun': '2411' }

describe('a combat', () => {
  it('begins with arrows of units and guns, one for each hex', () => {
    const found = battle(DECLARED, [], loreOf(SEEN))!
    expect(found.beats.map(({ kind }) => kind)).toEqual(['clash'])
    expect(found.beats[0]!.arrows.map(({ path, kind, force }) => [path.join('-'), kind, force])).toEqual([['2413-2512', 'attack', 'it'], ['2513-2512', 'attack', 'it'], ['2414-2512', 'fire', 'it']])
    expect(found.beats[0]!.units).toEqual([])
    expect(found.hexes).toEqual(['2512', '2413', '2513'])
  })

  it('shows whom the attacker had not seen, and what that changes', () => {
    const [beat] = battle(told(['attacked', { target: '2512', attackers: ATTACKERS, defenders: DEFENDERS }]), DECLARED, loreOf(SEEN))!.beats
    expect([beat!.kind, beat!.units, beat!.label, beat!.was, beat!.sum]).toEqual(['reveal', ['ah-62b'], 'defence', '5', '10'])
  })

  it('shows the defender, who knew his own, nothing new but the attackers', () => {
    const lore = loreOf({ ...SEEN, 'ah-62b': '2512', 'it-girgenti': '' })
    const found = battle([...DECLARED, ...told(['attacked', { target: '2512', attackers: ATTACKERS, defenders: DEFENDERS }])], [], lore)!
    expect(found.beats.map(({ kind, units, was, sum }) => [kind, units, was, sum])).toEqual([['clash', ['it-girgenti'], '12', '18']])
  })

  it('tells the column that was thought of and the one that is, then the dice and the cell', () => {
    const fresh = told(
      ['supported', { guns: ['ah-gun'] }],
      ['ratio', { attack: 22, defence: 10, column: '2:1' }],
      ['rolled', { what: 'combat_dice', dice: [1, 4, 5] }],
      ['result', { crt: 5, lrt: 5 }],
    )
    const { beats } = battle(fresh, DECLARED, loreOf(SEEN, { crt }, '4:1'))!
    expect(beats.map(({ kind }) => kind)).toEqual(['clash', 'odds', 'dice', 'cell'])
    expect(beats[0]!.arrows.map(({ path, kind, force }) => [path.join('-'), kind, force])).toEqual([['2413-2512', 'attack', 'it'], ['2513-2512', 'attack', 'it'], ['2411-2512', 'fire', 'ah']])
    expect([beats[1]!.was, beats[1]!.sum]).toEqual(['4:1', '2:1'])
    expect(beats[2]!.dice).toEqual([1, 4, 5])
    const { cells } = beats[3]!
    expect(cells!.heads[cells!.column]).toBe('2:1')
    expect(cells!.rows[cells!.row]).toMatchObject({ head: '5' })
    expect(cells!.rows[cells!.row]!.cells[cells!.column]).toBe('+1 / +2 R1')
  })

  it('sends back, lets advance and takes off whom the events name, and nobody else', () => {
    const fresh = told(
      ['retreated', { units: ['ah-62a'], path: ['2512', '2511'] }],
      ['reduced', { unit: '', hex: '2511', reductions: 2 }],
      ['eliminated', { unit: 'ah-62b', hex: '2512' }],
      ['advanced', { units: ['it-gaeta'], hex: '2512' }],
      ['moved', { unit: 'it-milano', path: ['0101', '0102'] }],
    )
    const { beats, hexes } = battle(fresh, DECLARED, loreOf(SEEN))!
    expect(beats).toHaveLength(1)
    expect(beats[0]!.trips).toEqual([
      { unit: 'ah-62a', path: ['2512', '2511'], gone: false },
      { unit: 'ah-62b', path: ['2512'], gone: true },
      { unit: 'it-gaeta', path: ['2513', '2512'], gone: false },
    ])
    expect(beats[0]!.arrows.map(({ kind }) => kind)).toEqual(['back', 'advance'])
    expect(beats[0]!.marks.map(({ hex, text }) => [hex, text])).toEqual([['2511', '−2'], ['2512', '✕']])
    expect(hexes).toContain('2511')
  })

  it('is nothing where nobody fights', () => {
    expect(battle(told(['moved', { unit: 'it-milano', path: ['0101', '0102'] }], ['phase', { phase: 'combat' }]), [], loreOf(SEEN))).toBeNull()
    // a unit that attrition takes is no combat
    expect(battle(told(['eliminated', { unit: 'it-milano', hex: '0102' }]), [], loreOf(SEEN))).toBeNull()
  })
})
