/** One match at one table: the seats held here, what each has before it, and the line to the server. */

import * as api from './api'
import { traffic, TRIES } from './busy.svelte'
import { Company } from './company.svelte'
import { prefs } from './prefs.svelte'
import { dropLink, dropToken, keepTokens } from './tokens'
import type { Action, Happening, Holder, MatchInfo, Reason, Refusal, Said, Seat, Table } from './types'
import { whyOf } from './why'

interface Message extends Partial<Table> {
  error?: Refusal & { line: number | null }
  thinking?: Seat | null
  why?: Reason
  seat?: Seat
  people?: Record<Seat, Holder>
  chat?: Said
  notes?: Record<string, string>
}

/** The log after a table has come in: what it takes back goes, what it tells is added. */
export function mergeEvents(log: Happening[], table: Pick<Table, 'line' | 'after' | 'events'>): Happening[] {
  return [...log.filter((event) => event.line <= Math.min(table.after, table.line)), ...table.events]
}

/** Who sat before this screen last: so that a reload does not ask again, and another tab does. */
function remembered(match: string): Seat {
  try {
    return sessionStorage.getItem(`fronte.seat.${match}`) ?? ''
  } catch {
    return ''
  }
}

function remember(match: string, seat: Seat): void {
  try {
    sessionStorage.setItem(`fronte.seat.${match}`, seat)
  } catch {
    // then a reload asks again
  }
}

/** How far a seat has looked on at this browser, so that what it missed can be shown. */
function seenLine(match: string, seat: Seat): number {
  try {
    return Number(localStorage.getItem(`fronte.seen.${match}.${seat}`) ?? 0)
  } catch {
    return 0
  }
}

function keepSeenLine(match: string, seat: Seat, line: number): void {
  try {
    localStorage.setItem(`fronte.seen.${match}.${seat}`, String(line))
  } catch {
    // then nothing is offered to be shown again
  }
}

const WORTH_SEEING = new Set(['moved', 'declared', 'entered', 'bombarded', 'bridge_blown'])

/** Live play over a websocket for one seat; it comes back by itself when the line breaks. */
class Line {
  private socket: WebSocket | null = null
  private closed = false
  private wait = 250
  /** How long a server that is too busy wants to be left alone, in seconds. */
  private retry = 0

  constructor(
    private readonly client: api.SeatClient,
    private readonly known: () => [number, number | null],
    private readonly heard: (message: Message) => void,
    private readonly state: (open: boolean) => void,
    private readonly refused: (status: number) => void,
  ) {
    this.open()
  }

  private open(): void {
    const socket = this.client.live(...this.known())
    this.socket = socket
    socket.onopen = () => this.state(true)
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as Message
      if (message.error?.retry && !message.view) this.retry = message.error.retry
      else this.wait = 250
      this.heard(message)
    }
    socket.onclose = (event) => {
      if (this.closed) return
      this.state(false)
      if (event.code >= 4400 && event.code < 4500 && event.code !== 4429) {
        this.refused(event.code - 4000) // asking again would not help
        return
      }
      const busy = event.code === 4503 || event.code === 4429
      if (busy) this.wait = Math.max(this.wait, 1000 * this.retry * (1 + Math.random()))
      setTimeout(() => !this.closed && this.open(), this.wait)
      this.wait = Math.min(this.wait * 2, busy ? 60_000 : 5000)
    }
  }

  send(body: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(body))
    return true
  }

  close(): void {
    this.closed = true
    this.socket?.close()
  }
}

export class Session {
  /** The seat whose side of the table is shown; null while nobody has confirmed. */
  seat = $state<Seat>('')
  /** Waiting for the other person to take the screen. */
  handing = $state<Seat | null>(null)
  table = $state.raw<Table | null>(null)
  log = $state.raw<Happening[]>([])
  fresh = $state.raw<Happening[]>([])
  thinking = $state<Seat | null>(null)
  /** Why the machine did what it did, by the line of its action. */
  reasons = $state.raw<Record<number, Reason>>({})
  refusal = $state<Refusal | null>(null)
  connected = $state(true)
  /** Tables that have come in and are not shown yet. */
  queued = $state(0)
  /** The showing of the other side's moves is halted. */
  paused = $state(false)
  busy = $state(false)
  /** The line after which things happened that this seat has not watched; null if there were none. */
  missed = $state<number | null>(null)
  /** Why the match opens no longer, and whether another link would help. */
  gone = $state.raw<{ why: string; link: boolean } | null>(null)
  /** When the table that is shown came in: clocks are counted from there. */
  came = $state(0)
  /** Who is here, what they say, and one's notes. */
  readonly company: Company

  private waiting: Table[] = []
  private timer: ReturnType<typeof setTimeout> | null = null
  private line: Line | null = null
  /** What was sent last and is not answered yet. */
  private sent: { body: object; tries: number } | null = null
  private latest = -1
  private revision: number | null = null
  /** The seat of the person before the screen, once that person has said so. */
  private confirmed: Seat

  constructor(
    readonly info: MatchInfo,
    /** By seat; a spectator's is that of no seat. */
    readonly tokens: Record<Seat, string>,
    /** Something is hidden from some seat: who takes the screen says so first. */
    readonly hidden = true,
  ) {
    const seats = Object.keys(tokens)
    this.company = new Company(info, tokens)
    this.confirmed = remembered(info.id)
    this.sitDown(this.confirmed && this.confirmed in tokens ? this.confirmed : (seats[0] ?? ''))
  }

  get client(): api.SeatClient {
    return api.seatAt(this.info.id, this.tokens[this.seat] ?? '')
  }

  /** Does the seat that is shown owe the decision? */
  get mine(): boolean {
    return this.plays && this.table?.decision?.seat === this.seat && this.queued === 0 && this.handing === null
  }

  /** Does this browser hold a seat, and not only look on? */
  get plays(): boolean {
    return this.info.role === 'seat'
  }

  /** Is the screen handed over? Where nothing is hidden nobody has to look away. */
  get hands(): boolean {
    return prefs.handover && this.hidden
  }

  get alone(): boolean {
    return Object.keys(this.tokens).length < 2
  }

  /** Take a seat: its table is asked for and followed from now on. */
  sitDown(seat: Seat): void {
    this.line?.close()
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.waiting = []
    this.queued = 0
    this.paused = false
    this.seat = seat
    this.handing = null
    this.table = null
    this.log = []
    this.fresh = []
    this.latest = -1
    this.revision = null
    this.refusal = null
    this.missed = null
    this.reasons = {}
    void this.hearReasons()
    this.line = new Line(
      this.client,
      () => [this.latest, this.revision],
      (message) => this.heard(message),
      (open) => (this.connected = open),
      (status) => void this.barred(status),
    )
    void this.company.sit(this.client, this.plays)
  }

  /** What the machine said of its actions before one came. */
  private async hearReasons(): Promise<void> {
    if (Object.values(this.info.seats).every((player) => player === 'human')) return
    const seat = this.seat
    try {
      const before = await this.client.reasons()
      if (this.seat === seat) this.reasons = { ...before, ...this.reasons }
    } catch {
      // the log does without
    }
  }

  /** The link is refused: why, in the language of this screen. A link that was ended is forgotten. */
  private async barred(status: number): Promise<void> {
    try {
      await this.client.state()
    } catch (wrong) {
      this.gone = { why: whyOf(wrong), link: status === 401 }
    }
    if (status !== 401) return
    dropLink(this.info.id, this.tokens[this.seat] ?? '')
    dropToken(this.info.id, this.seat)
  }

  /** Go on with a fresh link to the same seat. */
  renewed(token: string): void {
    this.tokens[this.seat] = token
    keepTokens(this.info.id, { [this.seat]: token })
    this.sitDown(this.seat)
  }

  leave(): void {
    this.line?.close()
    if (this.timer) clearTimeout(this.timer)
  }

  private heard(message: Message): void {
    if (message.error?.retry && this.sent && this.sent.tries < TRIES) {
      void this.sendAgain(message.error.retry)
    } else if (message.error) {
      this.refusal = { rule: message.error.rule, why: message.error.why }
      this.busy = false
      this.sent = null
    } else if (message.thinking !== undefined) {
      this.thinking = message.thinking
    } else if (message.why !== undefined) {
      this.reasons = { ...this.reasons, [message.line ?? this.latest]: message.why }
    } else if (message.people) {
      this.company.come(message.people)
    } else if (message.chat) {
      this.company.hear(message.chat)
    } else if (message.notes) {
      this.company.notes = message.notes
    } else if (message.view) {
      this.take(message as Table)
    }
  }

  /** The server was too busy for what was sent, and nothing has happened. An action is for one line: it cannot be played twice. */
  private async sendAgain(seconds: number): Promise<void> {
    const again = this.sent
    if (!again) return
    await traffic.wait(seconds)
    if (this.sent !== again) return
    again.tries += 1
    this.busy = this.line?.send(again.body) ?? false
  }

  private send(body: object): boolean {
    this.sent = { body, tries: 1 }
    return this.line?.send(body) ?? false
  }

  /** A table has come in: show it now, or after those before it when the other side is moving. */
  private take(table: Table): void {
    const first = this.table === null
    this.latest = table.line
    this.revision = table.revision
    this.sent = null
    if (table.decision?.seat !== this.thinking) this.thinking = null
    const others = !first && !this.busy && table.events.length > 0 && prefs.pace > 0
    if (others || this.waiting.length > 0) {
      this.waiting.push(table)
      this.queued = this.waiting.length
      if (!this.timer && !this.paused) this.pump()
      return
    }
    this.busy = false
    this.show(table, first)
  }

  private pump(): void {
    const next = this.waiting.shift()
    this.queued = this.waiting.length
    this.timer = null
    if (!next) return
    this.show(next, false)
    if (this.waiting.length === 0) this.paused = false
    if (!this.paused) this.timer = setTimeout(() => this.pump(), this.waiting.length ? prefs.pace : prefs.pace / 2)
  }

  /** Halt the showing of moves, or go on with it. */
  pause(): void {
    this.paused = !this.paused
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    if (!this.paused) this.pump()
  }

  /** Show everything that waits at once. */
  skip(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.paused = false
    const waiting = this.waiting
    this.waiting = []
    this.queued = 0
    for (const table of waiting) this.show(table, false)
  }

  private show(table: Table, first: boolean): void {
    this.refusal = null // it was about what is past
    this.log = mergeEvents(this.log, table)
    this.fresh = first ? [] : table.events
    this.table = table
    this.came = Date.now()
    const owes = table.decision?.seat
    if (this.plays && !this.alone && owes && owes in this.tokens && owes !== (this.hands ? this.confirmed : this.seat)) {
      this.handOver(owes)
      return
    }
    const seen = seenLine(this.info.id, this.seat)
    // who plays both sides has seen it all
    const away = this.hands || this.alone
    if (first && away && table.events.some((event) => event.line > seen && WORTH_SEEING.has(event.kind))) this.missed = seen
    keepSeenLine(this.info.id, this.seat, table.line)
  }

  private handOver(to: Seat): void {
    if (this.hands) this.handing = to
    else this.sitDown(to)
  }

  /** The other person is here. */
  confirm(): void {
    if (!this.handing) return
    this.confirmed = this.handing
    remember(this.info.id, this.confirmed)
    this.sitDown(this.handing)
  }

  play(action: Action): void {
    if (!this.table) return
    this.refusal = null
    this.missed = null
    this.busy = this.send({ action, line: this.table.line, revision: this.table.revision })
  }

  undo(): void {
    if (!this.table?.undo) return
    this.refusal = null
    this.busy = this.send({ undo: this.table.line, revision: this.table.revision })
  }

  order(kind: string, policy: string | null): void {
    this.refusal = null
    this.send({ orders: { [kind]: policy } })
  }

  /** Tell the server the language, and ask for the texts again. */
  async speak(): Promise<void> {
    this.skip()
    this.line?.send({ language: prefs.language })
    if (this.table) {
      const table = await this.client.state()
      this.log = table.events
      this.table = table
      this.fresh = []
    }
  }
}
