/** The others at a match: who is here, what they say, and the notes that a seat keeps from them. */

import type { SeatClient } from './api'
import type { HexId, Holder, MatchInfo, Said, Seat } from './types'

export class Company {
  people = $state.raw<Record<Seat, Holder>>({})
  said = $state.raw<Said[]>([])
  /** Messages that have come in while nobody looked. */
  unread = $state(0)
  notes = $state.raw<Record<HexId, string>>({})
  private client: SeatClient | null = null

  constructor(private readonly info: MatchInfo) {
    this.people = info.people
  }

  /** Somebody sits down: what was said before, and the notes of the seat. */
  async sit(client: SeatClient, plays: boolean): Promise<void> {
    this.client = client
    this.notes = {}
    this.said = []
    const [said, notes] = await Promise.all([
      this.info.role === 'watch' ? [] : client.chat().catch(() => []),
      plays ? client.notes().catch(() => ({})) : {},
    ])
    if (this.client !== client) return
    this.said = said
    this.notes = notes
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
