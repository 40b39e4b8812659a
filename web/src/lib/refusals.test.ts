import { describe, expect, it } from 'vitest'
import { commonest } from './refusals'

const why = (rule: string, text = rule): { rule: string; why: string } => ({ rule, why: text })

describe('the reason why nothing is allowed', () => {
  it('is the first by the rule that refuses most', () => {
    expect(commonest([why('4.5'), why('13.1', 'in reserve'), why('13.1', 'still in reserve')])?.why).toBe('in reserve')
  })

  it('is none where something is allowed, or nothing was asked', () => {
    expect(commonest([why('4.5'), null])).toBeNull()
    expect(commonest([])).toBeNull()
  })
})
