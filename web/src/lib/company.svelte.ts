/** The others at a match: who is here, what they say, and the notes that a seat keeps from them. */

import { seatAt, type SeatClient } from './api'
import { contribution, due, keepWord, newWord, wordOf } from './pledge'
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
  /** The other side has declined the draw that was offered from here. */
  declined = $state(false)
  /** An offer of one's own is being taken back: nobody has declined it. */
  private takesBack = false
  /** Seats of this browser whose word is under seal and not here any more. */
  lost = $state.raw<Seat[]>([])
  private client: SeatClient | null = null
  private binding = false
  /** There was news while the dice were looked at. */
  private again = false

  constructor(
    private readonly info: MatchInfo,
    private readonly tokens: Record<Seat, string>,
  ) {
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
    const offers = (of: Record<Seat, Holder>): boolean => Object.keys(this.tokens).some((seat) => of[seat]?.draw)
    if (offers(people)) this.declined = false
    else if (offers(this.people) && !this.takesBack) this.declined = true
    this.people = people
    if (!this.commitment) void this.bind()
  }

  /** See how the dice stand; put in the words of this browser, and open them once the others have put in theirs. */
  async bind(): Promise<void> {
    const client = this.client
    if (!client) return
    if (this.binding) {
      this.again = true
      return
    }
    this.binding = true
    try {
      let info = await client.info()
      const lost: Seat[] = []
      for (const seat of info.role === 'seat' ? Object.keys(this.tokens) : []) {
        const house = info.pledge?.house ?? ''
        const word = wordOf(info.id, house, seat)
        const what = due(info, seat, word)
        if (what === 'lost') lost.push(seat)
        if (what !== 'put' && what !== 'open') continue
        const given = word ?? newWord()
        if (word === undefined) keepWord(info.id, house, [seat], given)
        await seatAt(info.id, this.tokens[seat] ?? '').word(what === 'open' ? { word: given } : await contribution(info, seat, given))
        info = await client.info()
      }
      this.lost = lost
      this.pledge = info.pledge
      this.commitment = info.commitment
    } catch {
      // it is tried again when somebody comes
    } finally {
      this.binding = false
      if (this.again) {
        this.again = false
        void this.bind()
      }
    }
  }

  /** Offer a draw or agree to one; or decline it, or take one's own back. */
  async draw(agree: boolean): Promise<void> {
    this.declined = false
    this.takesBack = !agree
    await this.client?.draw(agree)
    this.takesBack = false
  }

  /** Which other side offers a draw to this seat; empty: none. */
  drawFrom(mine: Seat): Seat {
    return Object.entries(this.people).find(([seat, person]) => seat !== mine && person.draw)?.[0] ?? ''
  }

  /** Ask to begin the dice anew, agree to it, or not. */
  async anew(agree: boolean): Promise<void> {
    await this.client?.anew(agree)
    await this.bind()
  }

  /** Open a word that this browser has not kept. */
  async openTyped(seat: Seat, word: string): Promise<void> {
    await this.client?.word({ word })
    keepWord(this.info.id, this.pledge?.house ?? '', [seat], word)
    await this.bind()
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
