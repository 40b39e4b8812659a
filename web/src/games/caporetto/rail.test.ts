import { describe, expect, it } from 'vitest'
import { phases, steps } from './rail'

const word = (key: string): string => ({ move: 'A · Movement', assault: 'D · Assaults', mobile_assault: 'On the move: assault', modes: 'Guns' })[key] ?? key

describe('the rail', () => {
  it('has the phases of a turn, without what is before and after it', () => {
    const found = phases(['setup', 'command', 'action', 'end'], 'action', word)
    expect(found.map((one) => [one.key, one.past, one.now])).toEqual([['command', true, false], ['action', false, true]])
  })
  it('numbers the phases as the book does, which has two for actions', () => {
    const all = ['reinforcement', 'command', 'initiative', 'weather', 'engineering', 'artillery', 'action', 'gun_movement', 'movement', 'supply', 'recovery', 'victory']
    expect(phases(['setup', ...all, 'end'], 'supply', word).map((one) => one.sign)).toEqual(['1', '2', '3', '4', '5', '6', '7–8', '9', '10', '11', '12', '13'])
  })
  it('has the letters of an action', () => {
    const found = steps('action', 'assault', word)
    expect(found).toHaveLength(10)
    expect(found.filter((one) => one.past).map((one) => one.key)).toEqual(['activate', 'move', 'bombard', 'defend'])
    expect(found.find((one) => one.now)).toMatchObject({ sign: 'D', text: 'Assaults' })
  })
  it('has the steps of an assault on the move while there is one, and none in a phase without', () => {
    expect(steps('action', 'mobile_assault', word).find((one) => one.now)).toMatchObject({ sign: 'M3', text: 'assault' })
    expect(steps('artillery', 'modes', word)[1]).toMatchObject({ sign: '2', text: 'Guns', now: true })
    expect(steps('movement', '', word)).toEqual([])
  })
})
