/** The plan of the seat that is shown. */

import type { Refusal } from '../lib/types'
import { withMove, type Planned } from './planned'

class Plan {
  /** Moves are planned, not given. */
  on = $state(false)
  moves = $state.raw<Planned[]>([])
  /** They are being given, one after another. */
  giving = $state(false)
  /** Something came in between, and the rest waits. */
  halted = $state(false)
  private seat = ''
  private phase = ''
  /** Plans of the other seats at this screen, while those have it not. */
  private kept = new Map<string, { phase: string; moves: Planned[]; halted: boolean }>()

  /** A plan is for one seat and one phase: that of another phase is dropped, that of another seat waits for it. */
  sit(seat: string, phase: string): void {
    if (seat !== this.seat) {
      this.kept.set(this.seat, { phase: this.phase, moves: this.moves, halted: this.giving || this.halted })
      const mine = this.kept.get(seat)
      this.drop()
      if (mine?.phase === phase) [this.moves, this.halted] = [mine.moves, mine.halted]
    } else if (phase !== this.phase) this.drop()
    this.seat = seat
    this.phase = phase
  }

  add(moves: readonly Planned[]): void {
    for (const move of moves) this.moves = withMove(this.moves, move)
    this.halted = false
  }

  take(at: number): void {
    this.moves = this.moves.filter((_, i) => i !== at)
    if (!this.moves.length) this.drop()
  }

  drop(): void {
    this.moves = []
    this.on = false
    this.giving = false
    this.halted = false
  }

  give(): void {
    this.moves = this.moves.map(({ why: _why, ...move }) => move)
    this.giving = this.moves.length > 0
    this.halted = false
  }

  /** The first was given: the next one's turn. */
  passed(): void {
    this.moves = this.moves.slice(1)
    if (!this.moves.length) this.drop()
  }

  /** Stop where it stands; the first has been refused, if a reason is given. */
  halt(why: Refusal | null = null): void {
    this.giving = false
    this.halted = true
    if (why) this.moves = this.moves.map((move, i) => (i ? move : { ...move, why }))
  }
}

export const plan = new Plan()
