import { describe, expect, test } from 'vitest'
import { isQuiet, shortAnswers } from './quiet'
import type { Decision, Offer, Table } from './types'

function asked(kind: string, panel: string, offer: Partial<Offer>, more: { active?: string; policies?: Table['policies']; decision?: Partial<Decision> } = {}): Table {
  return {
    decision: { seat: 'it', kind, panel, rules: [], about: {}, text: '', hint: '', odds: [], whole: null, ...more.decision },
    offer: { actions: [], ...offer },
    policies: more.policies ?? {},
    view: { game: '', scenario: '', stage: { turn: 1, phase: 'combat', active: more.active ?? 'ah' } },
  } as unknown as Table
}

describe('what is routine', () => {
  test('what a standing order can answer', () => {
    expect(isQuiet(asked('terrain', 'choose', { actions: [{ do: 'terrain' }] }, { policies: { terrain: {} } }), 'it')).toBe(true)
    expect(isQuiet(asked('terrain', 'choose', { actions: [{ do: 'terrain' }] }), 'it')).toBe(false)
  })

  test('what may be passed over in the enemy’s turn, and little things in one’s own', () => {
    const many = Array.from({ length: 9 }, (_, n) => ({ do: 'enter', unit: `u${n}` }))
    expect(isQuiet(asked('demolish', 'choose', { actions: [{ do: 'blow' }, { do: 'done' }] }, { active: 'it' }), 'it')).toBe(true)
    expect(isQuiet(asked('reinforcement', 'place', { actions: [...many, { do: 'end' }] }, { active: 'it' }), 'it')).toBe(false)
    expect(isQuiet(asked('reinforcement', 'place', { actions: [...many, { do: 'end' }] }), 'it')).toBe(true)
  })

  test('not moves, ways and losses, nor what another is asked', () => {
    expect(isQuiet(asked('movement', 'move', { actions: [{ do: 'end' }] }, { policies: { movement: {} } }), 'it')).toBe(false)
    expect(isQuiet(asked('retreat', 'path', { actions: [] }, { policies: { retreat: {} } }), 'it')).toBe(false)
    expect(isQuiet(asked('terrain', 'choose', { actions: [{ do: 'hold' }] }, { policies: { terrain: {} } }), 'ah')).toBe(false)
  })
})

describe('the answers on the card', () => {
  test('a few of them, the idle one last', () => {
    expect(shortAnswers(asked('demolition', 'choose', { actions: [{ do: 'hold' }, { do: 'blow' }] }))).toEqual([{ do: 'blow' }, { do: 'hold' }])
  })

  test('of many only the one that does nothing', () => {
    const many = Array.from({ length: 9 }, (_, n) => ({ do: 'build', unit: `u${n}` }))
    expect(shortAnswers(asked('works', 'place', { actions: [...many, { do: 'end' }] }))).toEqual([{ do: 'end' }])
  })

  test('of any pieces out of several all or none', () => {
    const offer = { verb: 'shoot', field: 'units', pieces: ['a', 'b'], free: true, actions: [{ do: 'hold' }, { do: 'shoot', units: ['a', 'b'] }] }
    expect(shortAnswers(asked('infiltration', 'subset', offer))).toEqual([{ do: 'shoot', units: ['a', 'b'] }, { do: 'hold' }])
  })

  test('who is left out of an answer altogether is nobody too', () => {
    const offer = { verb: 'recover', field: 'units', pieces: ['a', 'b'], free: true, actions: [{ do: 'recover', units: ['a', 'b'] }, { do: 'recover' }] }
    expect(shortAnswers(asked('recover', 'subset', offer))).toEqual([{ do: 'recover', units: ['a', 'b'] }, { do: 'recover' }])
    const guns = { verb: 'turn', field: 'guns', pieces: ['a', 'b'], free: true, actions: [{ do: 'keep' }, { do: 'turn', guns: ['a'] }] }
    expect(shortAnswers(asked('gun_modes', 'subset', guns))).toEqual([{ do: 'turn', guns: ['a', 'b'] }, { do: 'keep' }])
  })

  test('of many that do something the one that a standing order gives', () => {
    const actions = [{ do: 'leave' }, ...['2425', '2325', '2525'].map((to) => ({ do: 'redirect', to }))]
    expect(shortAnswers(asked('redirect', 'volturno.redirect', { actions: [...actions, { do: 'redirect', to: '2426' }] }, { policies: { redirect: { leave: [] } } }))).toEqual([{ do: 'leave' }])
  })
})
