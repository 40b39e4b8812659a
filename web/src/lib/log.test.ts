import { describe, expect, it } from 'vitest'
import { COMBATS, lastCombat, used } from '../games/inferno/combat'
import { diceOf, groups, hexesOf } from './log'
import { mergeEvents } from './session.svelte'
import type { Happening } from './types'

const event = (line: number, kind: string, data: Record<string, unknown> = {}): Happening => ({ line, kind, rules: [], data, text: kind })

describe('the log', () => {
  it('is grouped by phase and combat', () => {
    const found = groups([
      event(0, 'phase'),
      event(1, 'moved'),
      event(2, 'phase'),
      event(3, 'declared'),
      event(4, 'attacked'),
      event(3, 'rolled'),
      event(4, 'retreated'),
      event(5, 'declared'),
      event(6, 'bombarded'),
    ], COMBATS)
    expect(found.map((group) => [group.kind, group.head?.kind ?? null, group.events.length])).toEqual([
      ['phase', 'phase', 1],
      ['phase', 'phase', 0],
      ['combat', 'declared', 3],
      ['combat', 'declared', 0],
      ['phase', null, 1],
    ])
  })

  it('takes the dice that open a run into it', () => {
    const runs = { opens: new Set(['activated']), outside: new Set(['over']) }
    const found = groups([event(1, 'turn'), event(2, 'moved'), event(3, 'rolled'), event(3, 'activated'), event(4, 'rolled'), event(5, 'activated')], runs)
    expect(found.map((group) => [group.head?.kind, group.events.map((one) => one.line)])).toEqual([
      ['turn', [2]],
      ['activated', [3, 4]],
      ['activated', []],
    ])
  })

  it('finds the last combat and what it used of the tables', () => {
    const told = [
      event(1, 'declared', { target: '0910' }),
      event(1, 'ratio', { column: '2:1', steps: 6, attack_av: 4 }),
      event(1, 'result', { crt: 5 }),
      event(2, 'losses', { side: 'ah', reductions: 2 }),
    ]
    expect(used(lastCombat(told))).toEqual({ column: '2:1', row: 5, steps: 6, lost: { ah: 2 }, av: { attack: 4, defence: 0 } })
    const later = [...told, event(3, 'phase'), event(4, 'moved')]
    expect(lastCombat(later)).toEqual(told)
    expect(lastCombat(later, true)).toEqual([])
    expect(used([])).toBeNull()
  })

  it('knows the hexes of an event', () => {
    expect(hexesOf(event(1, 'moved', { unit: 'it-a', path: ['2312', '2313'] }))).toEqual(['2312', '2313'])
    expect(hexesOf(event(1, 'bridge_demolished', { bridge: '2312/2313' }))).toEqual(['2312', '2313'])
    expect(hexesOf(event(1, 'points', { die: 3 }))).toEqual([])
  })

  it('shows dice', () => {
    expect(diceOf(event(1, 'rolled', { dice: [1, 2, 3] }))).toEqual([1, 2, 3])
  })

  it('forgets what was taken back', () => {
    const log = [event(1, 'a'), event(2, 'b'), event(3, 'c')]
    expect(mergeEvents(log, { line: 2, after: 2, events: [] }).map((one) => one.kind)).toEqual(['a', 'b'])
    expect(mergeEvents(log, { line: 4, after: 3, events: [event(4, 'd')] })).toHaveLength(4)
    expect(mergeEvents(log, { line: 3, after: -1, events: [event(0, 'z')] }).map((one) => one.kind)).toEqual(['z'])
  })
})
