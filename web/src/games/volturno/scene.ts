/** Fire, assaults and charges of Volturno as scenes (9 to 11): two dice, the line of the table, cohesion, retreats. */

import { addOutcome, around, beat, numbers, scene, text, texts, type Beat, type Cells, type Lore, type Script } from '../../stage/script'
import type { HexId } from '../../lib/types'

const GOES: Record<string, 'back' | 'advance'> = { retreated: 'back', withdrew: 'back', broke_off: 'back', fled: 'back', advanced: 'advance' }

/** The line of the table of combats that the dice and what is added to them give. */
function combatCells(total: number, result: string, charged: boolean, { tables }: Lore): Cells | null {
  const table = tables.assault as { lowest?: number; assault?: string[][]; charge?: string[][] } | undefined
  const lines = charged ? table?.charge : table?.assault
  if (!lines || table?.lowest === undefined) return null
  const row = Math.max(0, Math.min(lines.length - 1, total - table.lowest))
  const words = lines.map(([mine, theirs, who]) => `${mine}/${theirs} ${who}`)
  if (words[row] !== result) return null // by an option it is read otherwise
  const heads = lines.map((_, i) => (i === 0 ? `≤${i + table.lowest!}` : i === lines.length - 1 ? `≥${i + table.lowest!}` : String(i + table.lowest!)))
  return around('assault', heads, [{ head: '', cells: words }], row, 0)
}

/** From which total on fire costs levels. */
function fireCells(total: number, { tables }: Lore): Cells | null {
  const levels = (tables.fire as { levels?: [number, number][] } | undefined)?.levels
  const first = levels?.[0]
  if (!levels || !first) return null
  const heads = [`<${first[0]}`, ...levels.map(([from], i) => (levels[i + 1] ? `${from}–${levels[i + 1]![0] - 1}` : `≥${from}`))]
  const column = 1 + levels.findLastIndex(([from]) => total >= from)
  return around('fire', heads, [{ head: '', cells: ['–', ...levels.map(([, lost]) => `−${lost}`)] }], column, 0)
}

export const fight: Script = (fresh, before, lore) => {
  const beats: Beat[] = []
  const hexes: HexId[] = []
  let charged = before.findLast(({ kind }) => kind === 'assaults' || kind === 'charges')?.kind === 'charges'
  for (const event of fresh) {
    const { kind, data } = event
    const unit = text(data.unit)
    const hex = text(data.hex)
    const dice = numbers(data.dice)
    const added = Number(data.drm ?? 0)
    const total = dice.reduce((sum, die) => sum + die, added)
    const force = lore.force(unit)
    if (kind === 'assaults' || kind === 'charges') {
      charged = kind === 'charges'
      const target = text(data.target)
      hexes.push(hex, target)
      beats.push(beat('clash', event.text, { opens: true, arrows: [{ path: [hex, target], kind: 'attack', force }], units: unit && !lore.where(unit) ? [unit] : [] }))
    } else if (kind === 'fought') {
      const target = text(data.target)
      hexes.push(hex, target)
      const arrows = beats.length ? [] : [{ path: [hex, target], kind: 'attack' as const, force }]
      beats.push(beat('dice', '', { dice, added, arrows }))
      beats.push(beat('cell', event.text, { dice, added, sum: String(total), cells: combatCells(total, text(data.result), charged, lore) }))
    } else if (kind === 'fired') {
      const at = text(data.at)
      hexes.push(hex, at)
      beats.push(beat('dice', '', { dice, added, arrows: [{ path: [hex, at], kind: 'fire', force }] }))
      const lost = Number(data.levels)
      beats.push(beat('cell', event.text, { dice, added, sum: String(total), cells: fireCells(total, lore), marks: lost ? [{ hex: at, text: `−${lost}`, tone: 'hurt' }] : [] }))
    } else if (kind === 'checked') {
      hexes.push(hex)
      const lost = Number(data.levels)
      beats.push(beat('dice', event.text, { ms: 900, dice, added, marks: [lost ? { hex, text: `−${lost}`, tone: 'hurt' } : { hex, text: '✓', tone: 'held' }] }))
    } else if (kind === 'combat_won') {
      if (beats.length) addOutcome(beats, event.text, {})
    } else if (kind === 'worsened') {
      if (beats.length) addOutcome(beats, event.text, {})
    } else if (kind === 'routed' || kind === 'eliminated') {
      hexes.push(hex)
      addOutcome(beats, event.text, { marks: [{ hex, text: '✕', tone: 'gone' }], trips: [{ unit, path: [hex], gone: true }] })
    } else if (kind in GOES) {
      const path = texts(data.path)
      if (path.length < 2) continue
      hexes.push(...path)
      addOutcome(beats, event.text, { arrows: [{ path, kind: GOES[kind]!, force }], trips: [{ unit, path, gone: false }] })
    }
  }
  return scene(beats, hexes)
}
