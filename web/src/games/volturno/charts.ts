/** The tables of Volturno as charts: initiative, fire, assaults and charges, cohesion, terrain, light. */

import { costs, data, label, list, nums, ranges, shifts, source, type Chart, type Row, type Tables, type Wording } from '../../lib/charts'
import { signed } from '../../lib/odds'

const SIDES = ['attacker', 'defender']
/** The columns of the terrain chart, in the order of the data. */
const FEET = ['infantry', 'infantry_column', 'cavalry', 'cavalry_column', 'guns', 'commander']

export function charts(tables: Tables, say: Wording): Chart[] {
  const { fire = {}, assault = {}, turns = {} } = tables
  const column = (key: string): string => say.word('tables.column', key)
  const pairs = (value: unknown): number[][] => list(value).map(nums)
  const totals = (count: number): string[] => Array.from({ length: count }, (_, i) => Number(assault.lowest) + i).map((n, i) => (i === 0 ? `≤${n}` : i === count - 1 ? `≥${n}` : String(n)))
  const told = (lines: unknown): string[] => list(lines).map((line) => {
    const [mine, theirs, who] = list(line).map(String)
    return say.word('combat', `${mine}/${theirs} ${who}`)
  })
  /** What one side has, in the eyes of who attacks. */
  const bySide = (key: string): Row[] => SIDES.map((side) => ({ head: `${label(say, key)}, ${say.word('tables.row', side)}`, cells: [signed(Number(data(assault[key])[side] ?? 0))] }))
  const strength = pairs(fire.strength)
  const edge = pairs(assault.cohesion).reverse()
  const light = (key: string): Row => ({ head: say.word('light', key), cells: [nums(turns[key]).join(', ')] })
  const assaults = told(assault.assault)
  const charged = told(assault.charge)
  const initiative = list(tables.personal_initiative?.rows).map((row) => list(row))
  return [
    { name: 'personal_initiative', source: source(tables, 'personal_initiative'), heads: [], rows: ranges(initiative.map(([from]) => Number(from))).map((head, i) => ({ head, cells: [say.word('row', String(initiative[i]?.[1] ?? ''))] })) },
    { name: 'fire', source: source(tables, 'fire'), heads: [], rows: ranges(pairs(fire.levels).map(([from]) => from ?? 0), false).map((head, i) => ({ head, cells: [String(pairs(fire.levels)[i]?.[1] ?? '')] })) },
    {
      name: 'fire_modifiers', source: source(tables, 'fire'), heads: [],
      rows: [
        ...ranges(strength.map(([from]) => from ?? 0), false).map((head, i) => ({ head: `${label(say, 'strength')} ${head}`, cells: [signed(strength[i]?.[1] ?? 0)] })),
        ...shifts(say, { light_infantry: fire.light_infantry }),
        ...nums(fire.artillery_range).map((n, i) => ({ head: `${label(say, 'artillery_range')} ${i + 1}`, cells: [signed(n)] })),
        { head: `${label(say, 'massed')} (≥${String(fire.massed_from)})`, cells: [signed(Number(fire.massed))] },
        ...shifts(say, { column: fire.column, cavalry: fire.cavalry, guns: fire.guns, rear: fire.rear, ...data(fire.terrain) }),
      ],
    },
    { name: 'assault', source: source(tables, 'assault'), corner: '2d6', heads: [column('assault'), column('charge')], rows: totals(assaults.length).map((head, i) => ({ head, cells: [assaults[i] ?? '', charged[i] ?? ''] })) },
    {
      name: 'assault_modifiers', source: source(tables, 'assault'), heads: [],
      rows: [
        ...pairs(assault.ratio).map(([a, b, n]) => ({ head: `${label(say, 'strength')} ${a}:${b}`, cells: [signed(n ?? 0)] })),
        ...ranges(edge.map(([from]) => from ?? 0)).map((head, i) => ({ head: `${label(say, 'edge')} ${head}`, cells: [signed(edge[i]?.[1] ?? 0)] })),
        ...shifts(say, { rear: assault.rear }),
        ...['column', 'out_of_ammo', 'exhausted'].flatMap(bySide),
        ...shifts(say, { charge_on_good_infantry: assault.charge_on_good_infantry, ardour: assault.ardour, ...data(assault.terrain), ...data(assault.uphill), ...data(assault.across) }),
      ],
    },
    { name: 'cohesion_modifiers', source: source(tables, 'cohesion_modifiers'), heads: [], rows: shifts(say, tables.cohesion_modifiers ?? {}) },
    { name: 'cohesion_effects', source: source(tables, 'cohesion_effects'), heads: [], rows: ranges(pairs(tables.cohesion_effects?.levels).map(([from]) => from ?? 0), false).map((head, i) => ({ head, cells: [String(pairs(tables.cohesion_effects?.levels)[i]?.[1] ?? '')] })) },
    { name: 'terrain', source: source(tables, 'terrain'), heads: FEET.map(column), rows: [...costs(say, tables.terrain ?? {}), ...costs(say, tables.hexside ?? {}, true)] },
    { name: 'road', source: source(tables, 'road'), heads: [], rows: ['road', 'path', 'limber'].map((key) => ({ head: label(say, key), cells: [say.points(Number(tables.road?.[key] ?? 0))] })) },
    { name: 'turns', source: source(tables, 'turns'), heads: [], rows: ['night', 'fog', 'twilight'].map(light) },
    { name: 'recovery', source: source(tables, 'recovery'), heads: [], rows: ['rested', 'half'].map((key) => ({ head: label(say, key), cells: [String(tables.recovery?.[key] ?? '')] })) },
  ]
}
