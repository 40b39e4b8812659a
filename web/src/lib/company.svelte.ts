/** The others at a match: who is here, what they say, and the notes that a seat keeps from them. */

import type { SeatClient } from './api'
import { allSealed, wordOf } from './pledge'
import type { HexId, Holder, MatchInfo, Pledge, Said, Seat } from './types'

export class Company {
  people = $state.raw<Record<Seat, Holder>>({})
  said = $state.raw<Said[]>([])
  /** Messages that have come in while nobody looked. */
  unread = $state(0)
  notes = $state.raw<Record<HexId, string>>({})
  /** How the dice come about, and the fingerprint of the seed once it is made. */
  pledge = $state.raw<Pledge | null>(null)
  commitment = $state('')
  private client: SeatClient | null = null

  constructor(private readonly info: MatchInfo) {
    this.people = info.people
    this.pledge = info.pledge
    this.commitment = info.commitment
  }

  /** Somebody sits down: what was said before, and the notes of the seat. */
  async sit(client: SeatClient, plays: boolean): Promise<void> {
    this.client = client
    this.notes = {}
    this.said = []
    void this.bind()
    const [said, notes] = await Promise.all([
      this.info.role === 'watch' ? [] : client.chat().catch(() => []),
      plays ? client.notes().catch(() => ({})) : {},
    ])
    if (this.client !== client) return
    this.said = said
    this.notes = notes
  }

  come(people: Record<Seat, Holder>): void {
    this.people = people
    if (!this.commitment) void this.bind()
  }

  /** See how the dice stand, and open the word of this browser once the others have put in theirs. */
  async bind(): Promise<void> {
    const client = this.client
    if (!client) return
    try {
      const info = await client.info()
      const word = wordOf(info.id)
      const due = info.role === 'seat' && word !== undefined && info.pledge !== null && !info.commitment && allSealed(info, info.pledge)
      if (due) await client.openWord(word)
      const now = due ? await client.info() : info
      this.pledge = now.pledge
      this.commitment = now.commitment
    } catch {
      // it is tried again when somebody comes
    }
  }

  hear(message: Said): void {
    if (this.said.some((one) => one.number === message.number)) return
    this.said = [...this.said, message]
    this.unread += 1
  }

  async say(text: string, name: string): Promise<void> {
    const message = await this.client?.say(text, name)
    if (message && !this.said.some((one) => one.number === message.number)) this.said = [...this.said, message]
  }

  async note(hex: HexId, text: string): Promise<void> {
    if (this.client) this.notes = await this.client.note(hex, text)
  }
}
