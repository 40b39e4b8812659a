import { describe, expect, test } from 'vitest'
import { ranges, type Wording } from '../lib/charts'
import { charts as ofCaporetto } from './caporetto/charts'
import { charts as ofVolturno } from './volturno/charts'

const say: Wording = { word: (table, key) => `${table}.${key}`, has: (table) => table === 'tables.row', points: (parts) => String(parts / 4) }
const named = (all: ReturnType<typeof ofCaporetto>, name: string) => all.find((one) => one.name === name)!

describe('printed tables as charts', () => {
  test('ranges are said by where they begin and end', () => {
    expect(ranges([-9, 1, 3, 5, 6])).toEqual(['≤0', '1–2', '3–4', '5', '≥6'])
    expect(ranges([-99, -2, 0, 1, 3])).toEqual(['≤−3', '−2, −1', '0', '1–2', '≥3'])
    expect(ranges([8, 11], false)).toEqual(['8–10', '≥11'])
  })

  test('an assault of Caporetto has both results in a cell, and the column left of the table', () => {
    const tables = { assault: { source: 'reconstructed', columns: ['1:2', '1:1'], attacker: [['D2R/1', '-']], defender: [['-', 'D1']], below: ['D2R/1', '-'], shifts: { trench: [0, -1], morale: 1 } } }
    const all = ofCaporetto(tables, say)
    expect(named(all, 'assault')).toMatchObject({ heads: ['<1:2', '1:2', '1:1'], rows: [{ head: '1', cells: ['D2R/1 / –', 'D2R/1 / –', '– / D1'] }] })
    expect(named(all, 'assault_shifts').rows.map((row) => row.cells)).toEqual([['−1'], ['+1']])
  })

  test('terrain costs are whole points, closed ground a dash, and what is added has a plus', () => {
    const found = named(ofCaporetto({ terrain: { clear: [4, -1] }, hexside: { cliff: [-2, 2] }, feet: { columns: ['foot', 'mountain'] } }, say), 'terrain')
    expect(found.rows.map((row) => row.cells)).toEqual([['1', '–'], ['tables.value.whole', '+0.5']])
  })

  test('the dice of Volturno are read from the lowest line to the highest', () => {
    const tables = { assault: { lowest: 3, assault: [['2', '-', 'R'], ['-', '1', 'B']], charge: [['3', '-', 'R'], ['-', '2', 'B']] } }
    expect(named(ofVolturno(tables, say), 'assault').rows).toEqual([
      { head: '≤3', cells: ['combat.2/- R', 'combat.3/- R'] },
      { head: '≥4', cells: ['combat.-/1 B', 'combat.-/2 B'] },
    ])
  })
})
