/** What one asks before deciding: why a unit cannot go somewhere, who can do nothing, what is to be foreseen. */

import type { Session } from './session.svelte'
import type { Action, CardLine, HexId, Idle, UnitId, WhyNot } from './types'
import { whyOf } from './why'

class Ahead {
  /** By unit why it can do nothing in the decision at hand. */
  idle = $state.raw<Record<UnitId, Idle>>({})
  /** The answer to the last question of this kind; it is drawn on the map too. */
  why = $state.raw<WhyNot | null>(null)
  /** The unit of one's own that was looked at last: of it can be asked whether it can go to another hex. */
  asker = $state<UnitId | null>(null)
  /** What is foreseen, in words; null while nobody asks. */
  lines = $state.raw<CardLine[] | null>(null)
  /** A move that waits until its warning was read. */
  warned = $state.raw<{ lines: CardLine[]; go: () => void } | null>(null)

  async ask(session: Session, piece: UnitId, hex: HexId, along: UnitId[] = []): Promise<void> {
    session.refusal = null
    try {
      this.why = await session.client.whyNot(piece, hex, along)
    } catch (wrong) {
      this.why = null
      session.refusal = { rule: '', why: whyOf(wrong) }
    }
  }

  /** Do something, unless it would leave something behind: then that is said first. */
  async before(session: Session, action: Action, go: () => void): Promise<void> {
    this.warned = null
    const lines = await session.client.cautions(action).then((found) => found.lines, () => [])
    if (lines.length) this.warned = { lines, go }
    else go()
  }

  forget(): void {
    this.why = null
    this.warned = null
  }
}

export const ahead = new Ahead()
