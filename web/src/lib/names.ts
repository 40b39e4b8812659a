/** Names of units, places and things in the words of the game's pack. */

import { both } from '../words'
import { locale } from './dates'
import { levelWords, type Level } from './levels'
import { points, shortPoints } from './pieces'
import { prefs } from './prefs.svelte'
import { chosen, filled } from './template'
import type { Board, CounterRow, Force, HexId, HexRow, Seat, UnitId, Words } from './types'

export class Names {
  readonly counters: Map<UnitId, CounterRow>
  readonly hexes: Map<HexId, HexRow>
  readonly water = new Map<string, string>()

  /** `seats` in the order of the rules. */
  constructor(
    readonly board: Board,
    readonly seats: Seat[],
    readonly levels: readonly Level[] = [],
  ) {
    this.counters = new Map(board.counters.map((counter) => [counter.id, counter]))
    this.hexes = new Map(board.hexes.map((row) => [row.hex, row]))
    for (const side of board.hexsides) if (side.name) this.water.set(`${side.a}/${side.b}`, side.name)
  }

  private entry(table: string, key: string): Words | string | undefined {
    let found: Words | string | undefined = this.board.words[prefs.language]
    for (const part of [...table.split('.'), key]) {
      found = typeof found === 'object' ? found[part] : undefined
    }
    return found
  }

  /** A word of a table of the pack's texts (`policy.support` for one inside another). */
  word(table: string, key: string): string {
    const found = this.entry(table, key)
    return typeof found === 'string' ? found : key
  }

  /** Have the pack's texts a word for this? */
  has(table: string, key: string): boolean {
    return this.entry(table, key) !== undefined
  }

  /** A text of the pack, filled in; empty where there is none. */
  say(table: string, key: string, data: Record<string, unknown> = {}): string {
    const template = chosen(this.entry(table, key), data)
    return template === undefined ? '' : filled(template, data, this)
  }

  /** What a table of the pack's texts has words for, in its order. */
  keys(table: string): string[] {
    const found = this.board.words[prefs.language][table]
    return typeof found === 'object' ? Object.keys(found) : []
  }

  unit(id: UnitId): string {
    return this.counters.get(id)?.name ?? (id.startsWith('?') ? this.word('word', 'a_unit') : this.made(id))
  }

  /** What a unit is, as its counter says; empty where that is not known. */
  kind(id: UnitId): string {
    return String(this.counters.get(id)?.kind ?? '')
  }

  /** A unit made in play, `gold-p1`: in the words that `[made]` has for `p`; its id where it has none. */
  private made(id: UnitId): string {
    const [, force = '', word = '', n = ''] = /^(.+)-([a-z_]+)(\d+)$/.exec(id) ?? []
    return this.say('made', word, { force, n }) || id
  }

  units(ids: readonly UnitId[]): string {
    return ids.map((id) => this.unit(id)).join(', ')
  }

  hex(id: HexId): string {
    const name = this.has('hex', id) ? this.word('hex', id) : this.hexes.get(id)?.name
    return name ? `${id} ${name}` : id
  }

  place(where: string): string {
    return /^\d{4}$/.test(where) ? this.hex(where) : this.word('place', where)
  }

  /** Has this side square signs? Without a word of the pack the first has, the other's are round. */
  isSquare(seat: Seat): boolean {
    const shape = this.board.pack.sides[seat]?.shape
    return shape ? shape === 'square' : this.commander(seat) === this.seats[0]
  }

  /** The colour of a side's signs on the map. */
  ink(seat: Seat): string {
    return this.board.pack.sides[seat]?.ink ?? (this.isSquare(seat) ? '#1c6b34' : '#a3271f')
  }

  /** The same for letters beside the map: lighter where the page is dark. */
  letters(seat: Seat): string {
    const ink = this.ink(seat)
    return `light-dark(${ink}, color-mix(in oklab, ${ink}, white 60%))`
  }

  /** The force that holds a hex; empty if none does. */
  holder(hex: HexId, control: Record<Force, readonly HexId[]> = {}): Force {
    return Object.entries(control).find(([, hexes]) => hexes.includes(hex))?.[0] ?? ''
  }

  /** The seat that commands a force. */
  commander(force: Force): Seat {
    return this.board.setting.forces[force] ?? force
  }

  /** Movement points in whole points and parts of one, as this game counts them. */
  points(parts: number): string {
    return points(parts, this.board.setting.fraction)
  }

  /** On a hex of the map. */
  shortPoints(parts: number): string {
    return shortPoints(parts, this.board.setting.fraction)
  }

  /** A value of a piece in words: what the pack says of it, or the number with its name. */
  value(key: string, value: number | string): string {
    if (this.has('value', key)) return this.say('value', key, { n: value })
    return typeof value === 'string' ? this.word(key, value) : `${key} ${value}`
  }

  side(name: string): string {
    const water = this.water.get(name)
    return water ? `${name} (${water})` : name
  }

  /** The first day of a turn; empty where turns are no matter of days. */
  date(turn: number): string {
    const first = this.board.days[turn - 1]?.[0]
    if (!first) return ''
    return new Date(`${first}T12:00:00Z`).toLocaleDateString(locale(), { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  }

  /** Whatever a text names: a unit, a hex, a force, or a word. */
  thing(name: string): string {
    if (this.counters.has(name)) return this.unit(name)
    return this.hexes.has(name) ? this.hex(name) : this.seat(name)
  }

  /** The person of a seat, inside a sentence. */
  player(seat: Seat): string {
    return this.word('player', seat)
  }

  /** A text at the beginning of a sentence. */
  begins(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1)
  }

  /** A ratio of forces as the language writes it: 4.5:1, 4,5:1. */
  ratio(column: string): string {
    return prefs.language === 'it' ? column.replace(/(\d)\.(\d)/g, '$1,$2') : column
  }

  /** The level of a machine player. */
  level(spec: string): string {
    return levelWords(this.levels, spec)
  }

  seat(seat: Seat): string {
    return both(this.board.pack.sides[seat]?.name) || seat
  }
}
