/** The tables of Caporetto as charts: fire, assault, terrain, guns, weather, and the numbers that the book prints in its text. */

import { costs, data, label, list, nums, shifts, source, type Chart, type Row, type Tables, type Wording } from '../../lib/charts'

export function charts(tables: Tables, say: Wording): Chart[] {
  const { fire = {}, assault = {}, weather = {}, terrain = {} } = tables
  const column = (key: string): string => say.word('tables.column', key)
  const yes = (value: unknown): string => say.word('tables.value', value ? 'yes' : 'no')
  const part = (value: unknown): string => {
    const [n = 0, of = 1] = nums(value)
    return n ? (n === of ? column('whole') : `${n}/${of}`) : '–'
  }
  const dash = (cell: unknown): string => (cell === '-' ? '–' : String(cell))
  const units = (parts: unknown): string => say.points(Number(parts)) // strength is counted in the same quarters as movement
  const numbers = (name: string, keys: readonly string[], figure: (value: unknown) => string = String): Row[] =>
    keys.filter((key) => tables[name]?.[key] !== undefined).map((key) => ({ head: label(say, key, name), cells: [figure(tables[name]?.[key])] }))
  const attacker = list(assault.attacker).map((row) => list(row).map(String))
  const defender = list(assault.defender).map((row) => list(row).map(String))
  const below = list(assault.below).map(String)
  const own = data(fire.defensive)
  const bands = list(weather.bands).map(String)
  return [
    { name: 'fire', source: source(tables, 'fire'), corner: column('die'), heads: list(fire.columns).map(String), rows: list(fire.results).map((row, i) => ({ head: String(i + 1), cells: list(row).map(dash) })) },
    { name: 'fire_target', source: source(tables, 'fire'), heads: [], rows: shifts(say, data(fire.target)) },
    { name: 'fire_defensive', source: source(tables, 'fire'), heads: [], rows: shifts(say, { own_trench: own.trench, crossing: own.crossing, blind: own.blind }) },
    {
      name: 'assault', source: source(tables, 'assault'), corner: column('die'),
      heads: [...(below.length ? [`<${String(list(assault.columns)[0] ?? '')}`] : []), ...list(assault.columns).map(String)],
      rows: attacker.map((row, i) => ({ head: String(i + 1), cells: [...(below.length ? [below.map(dash).join(' / ')] : []), ...row.map((one, n) => `${dash(one)} / ${dash(defender[i]?.[n] ?? '')}`)] })),
    },
    { name: 'assault_shifts', source: source(tables, 'assault'), heads: [], rows: shifts(say, data(assault.shifts)) },
    {
      name: 'terrain', source: source(tables, 'terrain'), heads: list(tables.feet?.columns).map((one) => column(String(one))),
      rows: [...costs(say, terrain), ...costs(say, tables.settlement ?? {}), ...costs(say, tables.route ?? {}), ...costs(say, tables.hexside ?? {}, true)],
    },
    {
      name: 'guns', source: source(tables, 'guns'), heads: ['indirect', 'defends', 'breaks', 'emplaced'].map(column),
      rows: Object.entries(tables.guns ?? {}).flatMap(([key, value]) => {
        const gun = data(value)
        return 'defends' in gun ? [{ head: label(say, key), cells: [part(gun.indirect), yes(gun.defends), yes(gun.breaks), String(gun.emplaced_dp ?? 0)] }] : []
      }),
    },
    { name: 'weather', source: source(tables, 'weather'), corner: column('turn'), heads: bands.map(column), rows: list(weather.turns).map((row, i) => ({ head: String(i + 1), cells: list(row).map((one) => say.word('weather', String(one))) })) },
    { name: 'sight', source: source(tables, 'weather'), heads: [], rows: Object.entries(data(weather.sight)).map(([key, hexes]) => ({ head: say.word('weather', key), cells: [String(hexes)] })) },
    { name: 'logistics', source: source(tables, 'logistics'), heads: [], rows: numbers('logistics', ['formation', 'guns_each', 'reaction', 'interdiction_each', 'repair_each', 'centre']) },
    { name: 'stacking', source: source(tables, 'stacking'), heads: [], rows: [...numbers('stacking', ['battalion', 'company', 'most', 'high_mountain'], units), ...numbers('stacking', ['guns'])] },
    { name: 'victory', source: source(tables, 'victory'), heads: [], rows: numbers('victory', ['exit', 'steps', 'battalion', 'company', 'cavalry', 'gun', 'retaken', 'halt']) },
  ]
}
