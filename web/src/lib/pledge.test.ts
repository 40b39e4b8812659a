import { describe, expect, test } from 'vitest'
import { contribution, due, sealOf } from './pledge'
import type { MatchInfo } from './types'

const match = (seals: Record<string, string>, commitment = ''): MatchInfo =>
  ({ people: { italian: {}, ah: {} }, commitment, pledge: { house: 'x', seals, words: {}, secret: null, seed: null, anew: [], asked: null } }) as unknown as MatchInfo

describe('what a browser puts into the dice', () => {
  test('the seal is the one that the program checks', async () => {
    // fronte.engine.trust.seal("abc")
    expect(await sealOf('abc')).toBe('df831b9dc2eb6fa2b678d6d1dabd87cb0de7d6dfff4cbca3e603c1ff7ed314b0')
  })

  test('who comes last gives the word openly, who comes first seals it', async () => {
    expect(await contribution(match({ italian: 's' }), 'ah', 'w')).toEqual({ word: 'w' })
    expect(await contribution(match({}), 'ah', 'w')).toEqual({ seal: await sealOf('w') })
    expect(await contribution({ ...match({}), pledge: null }, 'ah', 'w')).toEqual({})
  })

  test('a word is put in, opened when all are bound, and missed when it is gone', () => {
    expect(due(match({}), 'ah', undefined)).toBe('put')
    expect(due(match({ ah: 's' }), 'ah', 'w')).toBe(null)
    expect(due(match({ ah: 's', italian: 's' }), 'ah', 'w')).toBe('open')
    expect(due(match({ ah: 's' }), 'ah', undefined)).toBe(null)
    expect(due(match({ ah: 's', italian: 's' }), 'ah', undefined)).toBe('lost')
    expect(due(match({ ah: 's', italian: 's' }, 'bound'), 'ah', undefined)).toBe(null)
    expect(due({ ...match({}), pledge: null }, 'ah', undefined)).toBe(null)
  })
})
