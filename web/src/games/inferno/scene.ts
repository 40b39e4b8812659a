/** A combat of the Inferno games as a scene (8): declaration, what it reveals, the column, three dice, retreats and losses. */

import { addOutcome, around, beat, numbers, scene, signed, text, texts, type Arrow, type Beat, type Cells, type Lore, type Script } from '../../stage/script'
import type { Happening, HexId } from '../../lib/types'
import { lastCombat } from './combat'

interface Shown {
  id: string
  hex: HexId
  attack: number
  defence: number
}

const shown = (value: unknown): Shown[] => (Array.isArray(value) ? (value as Shown[]).map(({ id, hex, attack, defence }) => ({ id: text(id), hex: text(hex), attack: Number(attack), defence: Number(defence) })) : [])

/** The cell of the results table: what each side adds to the loss die, and how far it goes back. */
function cellOf(ratio: Happening | undefined, row: number, { tables }: Lore): Cells | null {
  const crt = tables.crt as ({ columns?: string[] } & Record<string, number[][]>) | undefined
  const column = crt?.columns?.indexOf(text(ratio?.data.column)) ?? -1
  if (!crt?.columns || column < 0) return null
  const half = (drm = 0, retreat = 0): string => `${signed(drm)}${retreat ? ` R${retreat}` : ''}`
  const rows = Array.from({ length: 11 }, (_, i) => ({ head: String(i + 2), cells: (crt[`row_${i + 2}`] ?? []).map((one) => `${half(one[0], one[1])} / ${half(one[2], one[3])}`) }))
  return around('crt', crt.columns, rows, column, row - 2)
}

export const battle: Script = (fresh, before, lore) => {
  const past = lastCombat(before)
  const beats: Beat[] = []
  const hexes: HexId[] = []
  let declared = past.find((event) => event.kind === 'declared')
  let ratio = past.findLast((event) => event.kind === 'ratio')
  let dice: number[] = []
  const target = (): HexId => text(declared?.data.target)
  const strike = (): Arrow[] => shown(declared?.data.attackers).map(({ id, hex }) => ({ path: [hex, target()], kind: 'attack', force: lore.force(id) }))
  /** Who attacks is drawn with the first thing that is told. */
  const struck = (): Arrow[] => (beats.length ? [] : unique(strike()))
  const fires = (guns: unknown): Arrow[] => texts(guns).flatMap((id): Arrow[] => { const from = lore.where(id); return from && from !== target() ? [{ path: [from, target()], kind: 'fire', force: lore.force(id) }] : [] })

  for (const event of fresh) {
    const { kind, data } = event
    if (kind === 'declared') {
      declared = event
      ratio = undefined
      hexes.push(target(), ...shown(data.attackers).map(({ hex }) => hex))
      beats.push(beat('clash', event.text, { opens: true, arrows: [...unique(strike()), ...fires(data.guns)], units: hidden(shown(data.attackers), lore), ...grown(shown(data.attackers), hidden(shown(data.attackers), lore), 'attack') }))
    } else if (kind === 'attacked') {
      const seen = hidden(shown(data.defenders), lore)
      if (seen.length || !beats.length) beats.push(beat(seen.length ? 'reveal' : 'clash', event.text, { units: seen, arrows: struck(), ...grown(shown(data.defenders), seen, 'defence') }))
    } else if (kind === 'supported') {
      const guns = fires(data.guns)
      if (guns.length) beats.push(beat('clash', event.text, { arrows: [...struck(), ...guns] }))
    } else if (kind === 'ratio') {
      ratio = event
      const column = text(data.column)
      const thought = lore.foreseen(target())
      beats.push(beat('odds', event.text, { sum: column, was: thought && thought !== column ? thought : '', arrows: struck() }))
    } else if (kind === 'rolled' && (data.what === 'combat_dice' || data.what === 'refusal_die')) {
      dice = numbers(data.dice)
      beats.push(beat('dice', data.what === 'combat_dice' ? '' : event.text, { dice }))
    } else if (kind === 'result') {
      beats.push(beat('cell', event.text, { dice, cells: cellOf(ratio, Number(data.crt), lore), sum: text(ratio?.data.column) }))
    } else if (kind === 'refusing' || kind === 'refusal' || kind === 'exchanged' || kind === 'collapsed' || kind === 'void') {
      const hex = text(data.hex) || target()
      const held = kind === 'exchanged' ? data.exchanged === true : kind === 'refusal' && data.stands === true
      addOutcome(beats, event.text, { marks: held && hex ? [{ hex, text: '⛨', tone: 'held' }] : [] })
    } else if (kind === 'reduced') {
      const hex = text(data.hex)
      addOutcome(beats, event.text, { marks: [{ hex, text: `−${Number(data.reductions)}`, tone: 'hurt' }] })
    } else if (kind === 'losses' || kind === 'retreat_failed') {
      addOutcome(beats, event.text, {})
    } else if (kind === 'eliminated' && declared) {
      const hex = text(data.hex)
      addOutcome(beats, event.text, { marks: [{ hex, text: '✕', tone: 'gone' }], trips: [{ unit: text(data.unit), path: [hex], gone: true }] })
    } else if (kind === 'retreated') {
      const path = texts(data.path)
      const units = texts(data.units)
      addOutcome(beats, event.text, { arrows: [{ path, kind: 'back', force: lore.force(units[0] ?? '') }], trips: units.map((unit) => ({ unit, path, gone: false })) })
      hexes.push(...path)
    } else if (kind === 'advanced') {
      const hex = text(data.hex)
      const units = texts(data.units)
      const ways = units.map((unit) => ({ unit, path: [lore.where(unit), hex].filter(Boolean), gone: false }))
      addOutcome(beats, event.text, { arrows: unique(ways.filter(({ path }) => path.length > 1).map(({ unit, path }) => ({ path, kind: 'advance', force: lore.force(unit) }))), trips: ways })
      hexes.push(hex)
    }
  }
  if (!declared) return null
  return scene(beats, [target(), ...shown(declared.data.attackers).map(({ hex }) => hex), ...hexes])
}

/** Those who had not been seen there. */
function hidden(units: readonly Shown[], lore: Lore): string[] {
  return units.filter(({ id, hex }) => lore.where(id) !== hex).map(({ id }) => id)
}

/** What those who were seen are worth as printed, and what all are: a second brigade, 5 becomes 10. */
function grown(units: readonly Shown[], seen: readonly string[], label: 'attack' | 'defence'): Partial<Beat> {
  const worth = (some: readonly Shown[]): number => some.reduce((sum, one) => sum + one[label], 0)
  const known = units.filter(({ id }) => !seen.includes(id))
  return seen.length ? { label, sum: String(worth(units)), was: known.length ? String(worth(known)) : '' } : {}
}

/** One arrow for all who go the same way. */
export function unique(arrows: Arrow[]): Arrow[] {
  return [...new Map(arrows.map((one) => [one.path.join(), one])).values()]
}
