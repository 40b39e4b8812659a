/** What hands do on the map besides choosing: the small menu beside a counter, and counters that let the ground through. */

import type { HexId, UnitId } from '../lib/types'

/** What can be chosen in the small menu. */
export interface Entry {
  /** For tests and lists: unique in its menu. */
  key: string
  text: string
  do: () => void
}

/** A small menu that is open: beside this hex, about this unit, or about what was dropped there. */
export interface Open {
  hex: HexId
  title: string
  unit: UnitId | null
  entries: Entry[]
}

class Hand {
  /** The menu that is open. */
  menu = $state.raw<Open | null>(null)
  /** Counters let the ground through: until it is ended, or as long as a key or a finger is held. */
  through = $state(false)
  peek = $state(false)

  /** Ask beside a hex which of these is meant. */
  ask(hex: HexId, title: string, entries: Entry[]): void {
    this.menu = { hex, title, unit: null, entries }
  }

  /** Open the menu of a unit; what it can do is found where it is shown, after what is given here. */
  about(unit: UnitId, hex: HexId, title: string, before: Entry[] = []): void {
    this.menu = { hex, title, unit, entries: before }
  }

  close(): void {
    this.menu = null
  }
}

export const hand = new Hand()
