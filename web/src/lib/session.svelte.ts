/** One match at one table: the seats held here, what each has before it, and the line to the server. */

import * as api from './api'
import { traffic, TRIES } from './busy.svelte'
import { applied, type Change } from './changes'
import { Company } from './company.svelte'
import { hexesOf } from './log'
import { seesTheSame } from './pieces'
import { prefs } from './prefs.svelte'
import { dropLink, dropToken, keepTokens } from './tokens'
import type { Action, Happening, Holder, MatchInfo, Reason, Refusal, Said, Seat, Table } from './types'
import { opened } from './ways'
import { whyOf } from './why'

/** Where one socket carries several seats, each message says for which it is. */
interface Addressed {
  for: Seat
  said: Message
}

interface Message extends Partial<Table> {
  /** What is other than in the table before. */
  change?: Change
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

/** Has this seat left what it is asked now, in another's turn, to the machine? */
function isDefended({ orders, view }: Table, seat: Seat): boolean {
  return orders.defence !== undefined && Boolean(view.stage.active) && view.stage.active !== seat
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

/** What a seat that is held here has been told. */
interface Told {
  table: Table
  log: Happening[]
}

/** Live play over a websocket, for one seat or for all that are held here; it comes back by itself when the line breaks. */
class Line {
  private socket: WebSocket | null = null
  private closed = false
  private wait = 250
  /** How long a server that is too busy wants to be left alone, in seconds. */
  private retry = 0
  /** The table of each seat as it was sent last: the next one is told by what has changed. */
  private sent: Record<Seat, Table> = {}

  constructor(
    private readonly client: api.SeatClient,
    /** By seat; with more than one, messages say for which seat they are. */
    private readonly tokens: Record<Seat, string>,
    private readonly known: () => [number, number | null],
    private readonly heard: (message: Message, seat: Seat) => void,
    private readonly state: (open: boolean) => void,
    private readonly refused: (status: number) => void,
  ) {
    this.open()
  }

  private open(): void {
    const socket = this.client.live(...this.known(), Object.values(this.tokens))
    this.socket = socket
    this.sent = {}
    socket.onopen = () => this.state(true)
    socket.onmessage = (event: MessageEvent<string>) => {
      const told = JSON.parse(event.data) as Message | Addressed
      const [seat, message] = 'said' in told ? [told.for, told.said] : [Object.keys(this.tokens)[0] ?? '', told]
      if (message.error?.retry && !message.view) this.retry = message.error.retry
      else this.wait = 250
      this.heard(this.table(message, seat), seat)
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

  /** A message with its table whole, however it was told. */
  private table(message: Message, seat: Seat): Message {
    if (!message.view && !message.change) return message
    const table = (message.change ? applied(this.sent[seat], message.change) : message) as Table
    this.sent[seat] = table
    return opened(table)
  }

  /** Does it carry exactly these seats? */
  carries(tokens: Record<Seat, string>): boolean {
    return JSON.stringify(tokens) === JSON.stringify(this.tokens)
  }

  send(body: object, seat: Seat): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(Object.keys(this.tokens).length > 1 ? { seat, ...body } : body))
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

  /** Is something still being shown of the move before? Then the next one waits. */
  lingers: () => boolean = () => false
  /** What happened while the other person had the screen. */
  since = $state.raw<Happening[]>([])
  private handed = false

  /** Tables that are to be shown, and lines whose table is asked for when its time has come. */
  private waiting: (Table | number)[] = []
  private fetching = false
  /** Where somebody looked on from another side: what was shown, and whether it was halted. */
  private left: { line: number; paused: boolean } | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private line: Line | null = null
  /** What was sent last and is not answered yet. */
  private sent: { body: object; tries: number } | null = null
  /** What each seat that is held here was told. */
  private told: Record<Seat, Told> = {}
  /** The seat that is to have the screen as soon as it has been told what has happened. */
  private expected: Seat | null = null
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
    return this.plays && this.table?.decision?.seat === this.seat && this.queued === 0 && this.handing === null && !this.defended
  }

  /** Is what is asked in the other's turn answered for this seat, until the turn ends? */
  get defends(): boolean {
    return this.table?.orders.defence !== undefined
  }

  /** Is the question at hand answered so? */
  get defended(): boolean {
    return this.table !== null && isDefended(this.table, this.seat)
  }

  /** Does this browser hold a seat, and not only look on? */
  get plays(): boolean {
    return this.info.role === 'seat'
  }

  /** Is the screen handed over? Where nothing is hidden nobody has to look away. */
  get hands(): boolean {
    return prefs.handover && this.hidden
  }

  /** Is something hidden now between this seat and another that is held here? */
  private hides(seat: Seat): boolean {
    const views = Object.keys(this.tokens).map((one) => this.told[one]?.table.view)
    const mine = this.told[seat]?.table.view
    return !mine || views.some((view) => !view || !seesTheSame(view, mine))
  }

  get alone(): boolean {
    return Object.keys(this.tokens).length < 2
  }

  /** The seats that one line is for: all that are held here, or the one from which is looked on. */
  private get carried(): Record<Seat, string> {
    return this.plays ? { ...this.tokens } : { [this.seat]: this.tokens[this.seat] ?? '' }
  }

  /** Take a seat: its table is shown and followed from now on. Where several are held here one line is for all. */
  sitDown(seat: Seat): void {
    this.left = !this.plays && this.table && (this.paused || this.waiting.length) ? { line: this.table.line, paused: this.paused } : null
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.waiting = []
    this.queued = 0
    this.paused = false
    this.seat = seat
    this.handing = null
    this.expected = null
    this.table = null
    this.log = []
    this.fresh = []
    this.busy = false
    this.refusal = null
    this.missed = null
    this.reasons = {}
    void this.hearReasons()
    if (!this.line?.carries(this.carried)) this.connect()
    else if (this.knows(seat)) this.take(this.whole(seat))
    void this.company.sit(this.client, this.plays)
  }

  private connect(): void {
    this.line?.close()
    this.told = {}
    this.latest = -1
    this.revision = null
    this.line = new Line(
      this.client,
      this.carried,
      () => [this.latest, this.revision],
      (message, seat) => this.heard(message, seat),
      (open) => (this.connected = open),
      (status) => void this.barred(status),
    )
  }

  /** Has this seat been told of all that has happened? What one seat is told the others are told at once, but not before. */
  private knows(seat: Seat): boolean {
    return this.told[seat]?.table.revision === this.revision
  }

  /** The table of a seat with all that it has been told. */
  private whole(seat: Seat): Table {
    const { table, log } = this.told[seat] as Told
    return { ...table, after: -1, events: log }
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

  private heard(message: Message, seat: Seat): void {
    if (message.view) {
      const table = message as Table
      this.told[seat] = { table, log: mergeEvents(this.told[seat]?.log ?? [], table) }
      this.latest = table.line
      this.revision = table.revision
      if (this.expected) {
        this.handOver(this.expected)
        if (!this.expected) return // whoever has the screen now has been shown it
      }
    }
    if (seat !== this.seat) return // it is shown when that seat is taken
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
    this.busy = this.line?.send(again.body, this.seat) ?? false
  }

  private send(body: object): boolean {
    this.sent = { body, tries: 1 }
    return this.line?.send(body, this.seat) ?? false
  }

  /** A table has come in: show it now, or after those before it when the other side is moving. */
  private take(table: Table): void {
    const first = this.table === null
    if (first) table = this.whole(this.seat)
    this.sent = null
    if (table.decision?.seat !== this.thinking) this.thinking = null
    if (first && this.left) {
      void this.resume(this.left.line, table.line, this.left.paused)
      return
    }
    const others = !first && !this.busy && table.events.length > 0 && (prefs.pace > 0 || this.paused)
    if (others || this.waiting.length > 0) {
      this.waiting.push(table)
      this.queued = this.waiting.length
      if (!this.timer && !this.paused) this.pump()
      return
    }
    this.busy = false
    this.show(table, first)
  }

  /** Another side's sight of what was being shown: from the same line on. */
  private async resume(line: number, last: number, paused: boolean): Promise<void> {
    this.left = null
    this.paused = true // until there is something to go on from
    this.waiting = Array.from({ length: Math.max(0, last - line) }, (_, i) => line + 1 + i)
    this.queued = this.waiting.length
    const seat = this.seat
    const found = await this.client.state(-1, line).catch(() => null)
    if (this.seat !== seat) return
    this.paused = paused
    if (!found) {
      this.skip()
      return
    }
    this.show(found, true)
    this.missed = null
    if (!paused) this.pump()
  }

  private pump(): void {
    if (this.lingers()) {
      this.timer = setTimeout(() => this.pump(), 60)
      return
    }
    if (this.fetching) return
    const next = this.waiting.shift()
    this.queued = this.waiting.length
    this.timer = null
    if (next === undefined) return
    if (typeof next === 'number') void this.fetch(next)
    else this.shown(next)
  }

  /** The table of a line, which is shown if nothing later is shown already. */
  private async fetch(line: number): Promise<void> {
    const seat = this.seat
    this.fetching = true
    const found = await this.client.state(line - 1, line).catch(() => null)
    this.fetching = false
    if (this.seat === seat && found && this.table && found.line > this.table.line) this.shown(found)
    else if (!this.paused) this.pump()
  }

  /** Show it, and the next in its time. */
  private shown(table: Table): void {
    this.show(table, false)
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
    if (waiting.some((one) => typeof one === 'number')) {
      this.show(this.whole(this.seat), true)
      this.missed = null
    } else for (const table of waiting) this.show(table as Table, false)
  }

  private show(table: Table, first: boolean): void {
    this.refusal = null // it was about what is past
    this.log = mergeEvents(this.log, table)
    this.fresh = first ? [] : table.events
    this.table = table
    this.came = Date.now()
    const owes = table.decision?.seat
    const asked = this.told[owes ?? '']?.table
    if (this.plays && !this.alone && owes && owes in this.tokens && owes !== (this.hands ? this.confirmed : this.seat) && !(asked && isDefended(asked, owes))) {
      this.handOver(owes)
      return
    }
    const seen = seenLine(this.info.id, this.seat)
    this.since = first && this.handed ? table.events.filter((event) => event.line > seen) : []
    this.handed = false
    // who plays both sides has seen it all
    const away = this.hands || this.alone
    if (first && away && table.events.some((event) => event.line > seen && hexesOf(event).length)) this.missed = seen
    keepSeenLine(this.info.id, this.seat, table.line)
  }

  private handOver(to: Seat): void {
    this.expected = Object.keys(this.tokens).every((seat) => this.knows(seat)) ? null : to
    if (this.expected) {
      this.fresh = [] // a table is on its way, and whoever gets the screen sees what happened there
      return
    }
    this.handed = true
    if (this.hands && this.hides(to)) this.handing = to
    else {
      if (this.hands) this.confirmed = to
      this.sitDown(to)
    }
  }

  /** The other person is here. */
  confirm(): void {
    if (!this.handing) return
    this.confirmed = this.handing
    remember(this.info.id, this.confirmed)
    this.sitDown(this.handing)
  }

  /** Play an action; `whole` lets a whole move pass to which one could react. */
  play(action: Action, whole = false): void {
    if (!this.table) return
    this.refusal = null
    this.missed = null
    this.busy = this.send({ action, line: this.table.line, revision: this.table.revision, ...(whole ? { whole } : {}) })
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
    if (!this.alone && this.plays) {
      // every seat is told all again, in this language
      this.line?.close()
      this.line = null
      this.sitDown(this.seat)
      return
    }
    this.line?.send({ language: prefs.language }, this.seat)
    if (this.table) {
      const table = await this.client.state()
      this.log = table.events
      this.table = table
      this.fresh = []
    }
  }
}
