/** What the map shows and listens to on behalf of the decision at hand, and what is being looked at. */

import type { Entry } from '../hand/hand.svelte'
import type { Camera } from './camera'
import type { HexId, Overlay as Laid, UnitId } from './types'

export interface Overlay {
  /** Hexes that can be chosen, with a short label each (movement points left, for example). */
  reach: Map<HexId, string>
  /** Hexes that can be attacked or that are under attack. */
  targets: HexId[]
  /** Hexes that are part of what is chosen. */
  chosen: HexId[]
  /** Hexsides that can be chosen or are meant. */
  sides: string[]
  /** Ways drawn as arrows. */
  ways: HexId[][]
  /** Attacks: from this hex on that one. */
  blows: [HexId, HexId][]
  /** Units that can act. */
  able: Set<UnitId>
  /** Units that are chosen. */
  picked: Set<UnitId>
}

export function plain(): Overlay {
  return { reach: new Map(), targets: [], chosen: [], sides: [], ways: [], blows: [], able: new Set(), picked: new Set() }
}

class Desk {
  overlay = $state.raw<Overlay>(plain())
  /** The hex under the pointer or under the keyboard's cursor. */
  hover = $state<HexId | null>(null)
  cursor = $state<HexId | null>(null)
  /** The hex that the inspector shows. */
  looked = $state<HexId | null>(null)
  /** Units that were looked for: they stand out. */
  found = $state.raw<ReadonlySet<UnitId>>(new Set())
  /** The unit that is looked at. */
  unit = $state<UnitId | null>(null)
  /** What an attack on a hex promises, where that is told: the best of those on offer. */
  chances = $state.raw<ReadonlyMap<HexId, string>>(new Map())
  /** What the server has laid over the map, by name. */
  laid = $state.raw<Record<string, Laid>>({})
  /** Where something just happened. */
  flash = $state.raw<HexId[]>([])
  trail = $state.raw<HexId[]>([])
  /** Hexes that a lesson points to, and the part of the board that it is about. */
  hints = $state.raw<HexId[]>([])
  corner = $state.raw<[HexId, HexId] | null>(null)
  /** A rule to open in the reference. */
  rule = $state<string | null>(null)
  /** What the tables are to point to, in the family's own terms; without it, the last. */
  used = $state.raw<unknown>(null)
  tab = $state<string>('now')
  /** The legend lies open over the table. */
  legend = $state(false)
  /** Run the replay from this line on when its panel opens. */
  replayFrom: number | null = null
  /** Show this line of it, and stay there. */
  replayAt = $state<number | null>(null)
  /** Once the match is over nothing is hidden, if one likes. */
  lifted = $state(true)
  /** The attack that a question belongs to: from these hexes on that one. */
  fight = $state.raw<[HexId, HexId][]>([])
  /** The map was first laid out too large to be seen whole, and nobody has moved it since, whoever sits before it. */
  begun = $state(false)
  /** Where the question at hand is about. */
  place = $state.raw<HexId[]>([])
  /** Ask the map to bring hexes into sight. */
  goTo = $state.raw<{ hexes: HexId[]; scale?: number }>({ hexes: [] })

  /** A fight is being shown: whoever wants to look elsewhere waits until it is over. */
  held = false
  private kept: { hexes: HexId[]; scale?: number } | null = null

  /** The map is held by a finger: only what can go is dragged by one, all else moves the map. */
  touched = false

  /** Where the map was left, so that the next player finds it there. */
  camera: Camera | null = null

  /** What a click on a hex means to the decision at hand; true when it meant something. */
  clicked: ((hex: HexId, unit: UnitId | null, shift: boolean) => boolean) | null = null
  escape: (() => void) | null = null
  /** Can this unit be dragged? With `take` it is, and is chosen by that; with `whole` its stack comes along. */
  grab: ((unit: UnitId, take: boolean, whole?: boolean) => boolean) | null = null
  /** A unit was dragged to this hex. */
  dropped: ((hex: HexId) => void) | null = null
  /** The right button was pressed on this hex: what is chosen is sent there; true when somebody was. */
  sent: ((hex: HexId) => boolean) | null = null
  /** Whom the small menu of a friend sends to him, besides what he can do himself. */
  joins: ((hex: HexId) => Entry[]) | null = null
  /** Choose these together. */
  hold: ((units: UnitId[]) => void) | null = null
  /** The hex under a point of the window; null beside the map. */
  locate: ((x: number, y: number) => HexId | null) | null = null
  nextUnit: (() => void) | null = null
  endPhase: (() => void) | null = null

  /** Lay something over the map, or take it away. */
  lay(name: string, found: Laid | null): void {
    const { [name]: before, ...others } = this.laid
    if (found) this.laid = { ...others, [name]: found }
    else if (before) this.laid = others
  }

  clear(): void {
    this.overlay = plain()
    this.place = []
    this.clicked = null
    this.escape = null
    this.grab = null
    this.dropped = null
    this.sent = null
    this.joins = null
    this.hold = null
    this.nextUnit = null
  }

  /** Bring hexes into sight, at least this large where a scale is given: 1 is a hex of 96. */
  see(hexes: HexId[], scale?: number): void {
    if (!hexes.length) return
    const wish = scale === undefined ? { hexes } : { hexes, scale }
    if (this.held) this.kept = wish
    else this.goTo = wish
  }

  /** The fight is over: the map goes where it was wanted meanwhile. */
  release(): void {
    this.held = false
    if (this.kept) this.goTo = this.kept
    this.kept = null
  }

  /** Bring what is chosen or asked into sight, large enough to read. */
  show(hexes: HexId[]): void {
    this.see(hexes, 0.5)
  }

  /** What is asked now waits in the drawer: it leaves the map where it is. */
  quiet = false

  /** What a question is about: brought into sight, but not if it may be passed over; then it can be asked for. */
  asks(hexes: HexId[], optional: boolean): void {
    this.place = hexes
    if (!optional && !this.quiet) this.show(hexes)
  }

  openTables(used: unknown): void {
    this.used = used
    this.tab = 'tables'
  }

  openRule(id: string): void {
    this.rule = id
    this.tab = 'rules'
  }
}

export const desk = new Desk()
