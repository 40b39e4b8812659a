/** Fire and assaults of Caporetto as scenes (12): guns at work, what they do, the column of a wave, one die, the hex. */

import { addOutcome, around, beat, numbers, scene, signed, text, texts, type Arrow, type Beat, type Cells, type Lore, type Script } from '../../stage/script'
import type { HexId } from '../../lib/types'
import { unique } from '../inferno/scene'

/** The cell of the assault table; a column beyond it is read at its edge. */
function assaultCells(column: string, die: number, { tables }: Lore): Cells | null {
  const table = tables.assault as { columns?: string[]; attacker?: string[][]; defender?: string[][] } | undefined
  if (!table?.columns || !table.attacker || !table.defender || !die) return null
  const known = table.columns.indexOf(column)
  const at = known >= 0 ? known : column.endsWith(':1') ? table.columns.length - 1 : -1
  if (at < 0) return null // left of the table nothing is thrown
  const rows = table.attacker.map((mine, i) => ({ head: String(i + 1), cells: mine.map((one, n) => `${one} / ${table.defender![i]?.[n] ?? ''}`) }))
  return around('assault', table.columns, rows, at, die - 1)
}

/** The cell of the table of fires, where the column is known. */
function fireCells(column: string, die: number, { tables }: Lore): Cells | null {
  const table = tables.fire as { columns?: string[]; results?: string[][] } | undefined
  const at = table?.columns?.indexOf(column) ?? -1
  if (!table?.columns || !table.results || at < 0 || !die) return null
  const rows = table.results.map((cells, i) => ({ head: String(i + 1), cells }))
  return around('fire', table.columns, rows, at, Math.min(die, rows.length) - 1)
}

export const fight: Script = (fresh, before, lore) => {
  const beats: Beat[] = []
  const hexes: HexId[] = []
  const all = [...before, ...fresh]
  /** Who fires at a hex, until it is told what came of it. */
  const aims = new Map<HexId, unknown[]>()
  const aim = (hex: HexId, units: unknown): void => void aims.set(hex, [...(aims.get(hex) ?? []), ...(Array.isArray(units) ? (units as unknown[]) : [])])
  const since = before.findLastIndex(({ kind }) => kind === 'fired')
  for (const { kind, data } of before.slice(since + 1)) if (kind === 'aimed') aim(text(data.hex), data.units)
  let thrown: number[] = []
  let assault = before.findLast(({ kind }) => kind === 'assault')
  const from = (ids: unknown, to: HexId, kind: Arrow['kind']): Arrow[] =>
    unique(texts(ids).flatMap((id): Arrow[] => { const hex = lore.where(id); return hex && hex !== to ? [{ path: [hex, to], kind, force: lore.force(id) }] : [] }))
  /** Who was to support the assault on this hex is drawn with it. */
  const supporters = (target: HexId): Arrow[] => {
    const since = all.slice(all.findLastIndex(({ kind }) => kind === 'acts') + 1)
    return from(since.filter(({ kind, data }) => kind === 'support_declared' && data.target === target).map(({ data }) => data.unit), target, 'attack')
  }

  for (const event of fresh) {
    const { kind, data } = event
    const hex = text(data.hex)
    const unit = text(data.unit)
    if (kind === 'rolled' && text(data.what).startsWith('assault_di')) {
      thrown = numbers(data.dice)
    } else if (kind === 'aimed') {
      aim(hex, data.units)
    } else if (kind === 'fired') {
      const mine = from(aims.get(hex) ?? data.by, hex, 'fire') // of fire at who passes nothing was told before
      const [points, steps] = [Number(data.points), Number(data.steps)]
      const hurt = [points && `−${points}`, steps && `✕${steps}`, data.suppressed === true && 'S'].filter(Boolean).join(' ')
      hexes.push(hex)
      const dice = numbers(data.dice)
      const marks = [hurt ? { hex, text: hurt, tone: 'hurt' as const } : { hex, text: '–', tone: 'held' as const }]
      const cells = fireCells(text(data.column), (dice[0] ?? 0) + Number(data.drm ?? 0), lore)
      if (cells) beats.push(beat('dice', '', { dice, arrows: mine }), beat('cell', event.text, { dice, sum: text(data.column), cells, marks }))
      else beats.push(beat('dice', event.text, { ms: 1150, dice, arrows: mine, marks }))
      aims.delete(hex)
    } else if (kind === 'astray') {
      const to = text(data.to)
      hexes.push(hex, to)
      addOutcome(beats, event.text, { arrows: [{ path: [hex, to], kind: 'fire', force: '' }], marks: [{ hex: to, text: '✸', tone: 'hurt' }] })
    } else if (kind === 'assault') {
      assault = event
      const wave = from(data.wave, hex, 'attack')
      const seen = texts(data.group).filter((id) => id && lore.where(id) !== hex)
      hexes.push(hex, ...wave.map(({ path }) => path[0]!))
      const [ratio, column] = [text(data.ratio), text(data.column)]
      beats.push(beat(seen.length ? 'reveal' : 'odds', event.text, {
        opens: true,
        arrows: unique([...wave, ...supporters(hex)]),
        units: seen,
        sum: column,
        was: ratio === column ? '' : ratio,
        shifts: (Array.isArray(data.shifts) ? (data.shifts as [string, number][]) : []).map(([key, n]) => ({ key, effect: signed(n) })),
      }))
    } else if (kind === 'assault_result') {
      const die = Number(data.die ?? 0)
      hexes.push(hex)
      if (die) beats.push(beat('dice', '', { dice: thrown.length ? thrown : [die] }))
      const marks = [data.won === true ? { hex, text: '⚑', tone: 'gone' as const } : { hex, text: '⛨', tone: 'held' as const }]
      beats.push(beat('cell', event.text, { dice: die ? (thrown.length ? thrown : [die]) : [], sum: text(assault?.data.column), cells: assaultCells(text(assault?.data.column), die, lore), marks }))
    } else if (kind === 'step_lost' && beats.length) {
      const where = lore.where(unit)
      if (where) addOutcome(beats, event.text, { marks: [{ hex: where, text: '−1', tone: 'hurt' }] })
    } else if ((kind === 'disorganised' || kind === 'suppressed' || kind === 'held') && beats.length) {
      addOutcome(beats, event.text, {})
    } else if (kind === 'eliminated' || kind === 'surrendered' || kind === 'routed') {
      const where = hex || lore.where(unit)
      if (!where) continue
      hexes.push(where)
      addOutcome(beats, event.text, { marks: [{ hex: where, text: kind === 'surrendered' ? '⚐' : '✕', tone: 'gone' }], trips: [{ unit, path: [where], gone: true }] })
    } else if (kind === 'retreated' || kind === 'advanced') {
      const path = [hex, text(data.to)]
      hexes.push(...path)
      addOutcome(beats, event.text, { arrows: [{ path, kind: kind === 'retreated' ? 'back' : 'advance', force: lore.force(unit) }], trips: [{ unit, path, gone: false }] })
    }
  }
  return scene(beats, hexes)
}
