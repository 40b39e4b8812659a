import { describe, expect, it } from 'vitest'
import { neighbours } from '../../lib/geometry'
import type { Grid, Table } from '../../lib/types'
import { aimed } from './aimed'

const GRID = { columns: [1, 30], rows: [1, 30], odd_columns_lower: true } satisfies Grid as Grid
const AT = '1010'
const FACED = neighbours(GRID, AT)[2]!

function window(about: Record<string, unknown>, mine: string): Pick<Table, 'decision' | 'view'> {
  const view = { pieces: [{ at: mine, mine: true }], signs: [{ kind: 'assault', at: AT, facing: 2 }] }
  return { decision: { about }, view } as unknown as Table
}

describe('an attack that goes on if nobody reacts', () => {
  it('is told of who stands on a marker that points at units of one’s own', () => {
    expect(aimed(window({ trigger: 'enter', hex: AT }, FACED), GRID)).toEqual([{ kind: 'assault', target: FACED }])
    expect(aimed(window({ trigger: 'leave', hex: '0101', from: AT }, FACED), GRID)).toHaveLength(1)
  })

  it('is none of a march past the marker, of fire, or of a marker that points elsewhere', () => {
    expect(aimed(window({ trigger: 'enter', hex: '0909' }, FACED), GRID)).toEqual([])
    expect(aimed(window({ trigger: 'fire', hex: AT }, FACED), GRID)).toEqual([])
    expect(aimed(window({ trigger: 'enter', hex: AT }, '2020'), GRID)).toEqual([])
  })
})
