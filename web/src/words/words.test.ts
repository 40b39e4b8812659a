import { describe, expect, it as test } from 'vitest'
import { en } from './en'
import { fill } from './index'
import { it } from './it'

const sources = import.meta.glob<string>('../**/*.{svelte,ts}', { query: '?raw', import: 'default', eager: true })
const code = Object.entries(sources)
  .filter(([name]) => !name.startsWith('./') && !name.endsWith('.test.ts'))
  .map(([, text]) => text)
  .join('\n')

describe('the words', () => {
  test('both languages have the same keys', () => {
    expect(Object.keys(it).sort()).toEqual(Object.keys(en).sort())
  })

  test('no text is empty, and both have the same blanks', () => {
    const blanks = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)/g)].map((m) => m[1] ?? ''))].sort()
    for (const [key, text] of Object.entries(en)) {
      const translated = it[key as keyof typeof en]
      expect(text.trim(), key).not.toBe('')
      expect(translated.trim(), key).not.toBe('')
      expect(blanks(translated), key).toEqual(blanks(text))
    }
  })

  test('whole sentences are translated', () => {
    const same = Object.entries(en).filter(([key, text]) => text.split(' ').length > 3 && it[key as keyof typeof en] === text)
    expect(same).toEqual([])
  })

  test('every key is used', () => {
    const made = [...code.matchAll(/(?:t|named)\(\s*[`'"]([\w]+(?:\.[\w]+)?)[.`'"]/g)].map((m) => m[1] ?? '')
    const prefixes = new Set(made.concat(['layer', 'tab', 'value']))
    const unused = Object.keys(en).filter((key) => !code.includes(`'${key}'`) && !prefixes.has(key.slice(0, key.lastIndexOf('.'))))
    expect(unused).toEqual([])
  })
})

describe('filling in', () => {
  test('blanks are filled and unknown ones stay', () => {
    expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  })

  test('a form is picked by number', () => {
    expect(fill('{n} {n|unit|units}', { n: 1 })).toBe('1 unit')
    expect(fill('{n} {n|unit|units}', { n: 0 })).toBe('0 units')
  })
})
