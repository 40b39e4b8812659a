import { describe, expect, it } from 'vitest'
import { loreOf, told } from '../../stage/lore.test-help'
import { fight } from './scene'

const columns = ['1:1', '1.5:1', '2:1', '2.5:1', '3:1']
const results = [1, 2, 3, 4, 5, 6].map((n) => ['1', '2-3', '4-5'].map((one) => `${n} in ${one}`))
const TABLES = { fire: { columns: ['1', '2-3', '4-5'], results }, assault: { columns, attacker: [1, 2, 3, 4, 5, 6].map((n) => columns.map((one) => `a${n} ${one}`)), defender: [1, 2, 3, 4, 5, 6].map((n) => columns.map(() => `d${n}`)) } }
const SEEN = { 'de-b-jg-1': '2407', 'de-b-rjg-2': '2506', 'it-231-3': '2406', 'it-mg': '2405' }
const ACTS = told(['acts', {}], ['support_declared', { unit: 'de-b-rjg-2', hex: '2506', target: '2406' }])

describe('an action', () => {
  const fresh = told(
    ['aimed', { fire: 'defence', hex: '2506', units: ['', 'it-mg', 'it-231-3'] }],
    ['fired', { fire: 'defence', hex: '2506', units: ['de-b-rjg-2'], dice: [4], points: 1, steps: 0, suppressed: false }],
    ['disorganised', { unit: 'de-b-rjg-2', points: 1, dp: 1 }],
    ['assault', { hex: '2406', wave: ['de-b-jg-1'], group: ['it-231-3', 'it-231-1'], ratio: '1:1', shifts: [['uphill', -1], ['morale', 4]], net: 3, column: '2.5:1' }],
    ['rolled', { what: 'assault_die', dice: [1] }],
    ['assault_result', { hex: '2406', attacker: 'D1/1', defender: 'D1', won: true, die: 1 }],
    ['step_lost', { unit: 'de-b-jg-1', left: 3 }],
    ['surrendered', { unit: 'it-231-1', hex: '2406' }],
    ['retreated', { unit: 'it-231-3', hex: '2406', to: '2307' }],
    ['advanced', { unit: 'de-b-jg-1', hex: '2407', to: '2406' }],
  )
  const { beats, hexes } = fight(fresh, ACTS, loreOf(SEEN, TABLES))!

  it('shows fire from those who are seen', () => {
    expect(beats[0]!.arrows.map(({ path, kind, force }) => [path.join('-'), kind, force])).toEqual([['2405-2506', 'fire', 'it'], ['2406-2506', 'fire', 'it']])
    expect([beats[0]!.dice, beats[0]!.marks[0]!.text]).toEqual([[4], '−1'])
  })

  it('shows wave and support, whom they find, and what moves the column', () => {
    const odds = beats.find(({ kind }) => kind === 'reveal')!
    expect(odds.arrows.map(({ path }) => path.join('-'))).toEqual(['2407-2406', '2506-2406'])
    expect(odds.units).toEqual(['it-231-1'])
    expect([odds.was, odds.sum]).toEqual(['1:1', '2.5:1'])
    expect(odds.shifts).toEqual([{ key: 'uphill', effect: '−1' }, { key: 'morale', effect: '+4' }])
  })

  it('lights up the cell of the die', () => {
    const { cells } = beats.find(({ kind }) => kind === 'cell')!
    expect(cells!.rows[cells!.row]!.cells[cells!.column]).toBe('a1 2.5:1 / d1')
  })

  it('says what the dice bring when they lie', () => {
    expect(beats.find(({ kind, dice }) => kind === 'dice' && dice[0] === 1)!.text).toBe('')
  })

  it('ends with who is lost, goes back and advances', () => {
    const last = beats.at(-1)!
    expect(last.trips.map(({ unit, path, gone }) => [unit, path.join('-'), gone])).toEqual([['it-231-1', '2406', true], ['it-231-3', '2406-2307', false], ['de-b-jg-1', '2407-2406', false]])
    expect(hexes).toContain('2307')
  })
})

it('a column beyond the table is read at its edge; left of it there is no cell', () => {
  const of = (column: string, die?: number) => fight(told(['assault', { hex: '2406', wave: [], group: [], ratio: column, shifts: [], column }], ['assault_result', { hex: '2406', won: false, ...(die ? { die } : {}) }]), [], loreOf(SEEN, TABLES))!.beats.find(({ kind }) => kind === 'cell')!.cells
  expect(of('7:1', 6)!.rows.at(-1)!.cells.at(-1)).toBe('a6 3:1 / d6')
  expect(of('1:3')).toBeNull()
})

it('fire at several hexes has the arrows of each', () => {
  const fired = (hex: string) => ['fired', { fire: 'defence', hex, units: [], dice: [3], points: 0, steps: 0 }] as [string, Record<string, unknown>]
  const aimed = told(['aimed', { hex: '2506', units: ['it-mg'] }], ['aimed', { hex: '2407', units: ['it-231-3'] }])
  const { beats } = fight(told(fired('2506'), fired('2407'), fired('2407')), aimed, loreOf(SEEN))!
  expect(beats.map(({ arrows }) => arrows.map(({ path }) => path.join('-')))).toEqual([['2405-2506'], ['2406-2407'], []])
})

it('Rommel throws two dice, and both are seen', () => {
  const { beats } = fight(told(['rolled', { what: 'assault_dice', dice: [2, 5] }], ['assault_result', { hex: '2406', won: true, die: 5 }]), [], loreOf(SEEN, TABLES))!
  expect(beats[0]!.dice).toEqual([2, 5])
})

it('a march and a headquarters are no fight', () => {
  expect(fight(told(['moved', { units: ['de-b-jg-1'], path: ['2508', '2407'] }], ['hq_placed', {}], ['disorganised', { unit: 'de-b-jg-1' }]), [], loreOf(SEEN))).toBeNull()
})

describe('a fire', () => {
  const passing = (more: Record<string, unknown>) => fight(told(['fired', { fire: 'infiltration', hex: '2506', units: ['de-b-rjg-2'], dice: [4], points: 1, steps: 0, by: ['it-mg'], ...more }]), [], loreOf(SEEN, TABLES))!.beats

  it('lights up its cell where the column is known, and comes from those who are named', () => {
    const [dice, cell] = passing({ column: '4-5', drm: 1 })
    expect([dice!.kind, dice!.text, dice!.arrows.map(({ path }) => path.join('-'))]).toEqual(['dice', '', ['2405-2506']])
    expect(cell!.cells!.rows[cell!.cells!.row]!.cells[cell!.cells!.column]).toBe('5 in 4-5')
    expect(cell!.sum).toBe('4-5')
  })

  it('is told with its die where somebody covered fires too', () => {
    expect(passing({}).map(({ kind }) => kind)).toEqual(['dice'])
  })
})
