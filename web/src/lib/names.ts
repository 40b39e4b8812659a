/** Names of units, places and things in the words of the game's pack. */

import { both, named } from '../words'
import { locale } from './dates'
import { levelWords, type Level } from './levels'
import { points } from './pieces'
import { prefs } from './prefs.svelte'
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

  /** A word of a table of the pack's texts (`policy.support` for one inside another). */
  word(table: string, key: string): string {
    let found: Words | string | undefined = this.board.words[prefs.language]
    for (const part of [...table.split('.'), key]) {
      found = typeof found === 'object' ? found[part] : undefined
    }
    return typeof found === 'string' ? found : key
  }

  /** What a table of the pack's texts has words for, in its order. */
  keys(table: string): string[] {
    const found = this.board.words[prefs.language][table]
    return typeof found === 'object' ? Object.keys(found) : []
  }

  unit(id: UnitId): string {
    return this.counters.get(id)?.name ?? (id.startsWith('?') ? this.word('word', 'a_unit') : id)
  }

  units(ids: readonly UnitId[]): string {
    return ids.map((id) => this.unit(id)).join(', ')
  }

  hex(id: HexId): string {
    const name = this.hexes.get(id)?.name
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

  /** A value of a piece in words: what the pack says of it, or the number with its name. */
  value(key: string, value: number | string): string {
    return typeof value === 'string' ? this.word(key, value) : `${named('value', key)} ${value}`
  }

  side(name: string): string {
    const water = this.water.get(name)
    return water ? `${name} (${water})` : name
  }

  /** The first day of a turn, by the printed date of the first turn and the printed scale; empty without them. */
  date(turn: number): string {
    const first = this.board.scenarios.gt1_date
    const days = parseInt(this.board.pack.scale?.turn.en ?? '', 10)
    if (!first || !days) return ''
    const day = new Date(`${first}T12:00:00Z`)
    day.setUTCDate(day.getUTCDate() + (turn - 1) * days)
    return day.toLocaleDateString(locale(), { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
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

  /** A column of the combat table in the words of the printed chart. */
  ratio(column: string): string {
    return this.word('ratio', column)
  }

  /** The level of a machine player. */
  level(spec: string): string {
    return levelWords(this.levels, spec)
  }

  seat(seat: Seat): string {
    return both(this.board.pack.sides[seat]?.name) || seat
  }
}
