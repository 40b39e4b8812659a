/** The server's interface (docs/server.md), one function per request. */

import type { Advice, Cost, Curve, Judged, Judgement } from './analysis'
import { LONGEST, traffic, TRIES } from './busy.svelte'
import type { Contribution } from './pledge'
import { prefs } from './prefs.svelte'
import type {
  Action, Board, Card, CardLine, Choice, ClockRule, GameInfo, House, Idle, Language, Lesson, LinkShown, Looked, Luck, MadeLink, MatchInfo, NoticeShown, OddsSheet, Offered, Outlook, Overlay, Pledge, Puzzle, Reason, Role, Rule, Said, Seat, Story, Table, WhyNot,
} from './types'

/** A request that was refused: with the rule, where a rule forbids it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly rule: string,
    readonly why: string,
  ) {
    super(why)
  }
}

/** Requests about matches and accounts carry the language: refusals come back in it. */
function spoken(path: string): string {
  if (!/^\/api\/(matches|account|session)/.test(path)) return path
  return `${path}${path.includes('?') ? '&' : '?'}language=${prefs.language}`
}

/** Proof that a request comes from this page, while somebody is logged in; undefined until it was asked for. */
let proof: string | null | undefined

async function fetched(path: string, options: RequestInit = {}, token = ''): Promise<Response> {
  const headers = new Headers(options.headers)
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (typeof options.body === 'string' && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  if (options.method && options.method !== 'GET') {
    if (proof === undefined) await account()
    if (proof) headers.set('X-Fronte-CSRF', proof)
  }
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(spoken(path), { ...options, headers })
    if (answer.ok) return answer
    const body = (await answer.json().catch(() => ({}))) as { error?: { rule?: string; why?: string; retry?: number | null } }
    const retry = body.error?.retry ?? null
    // nothing has happened: the same is sent again
    if (retry !== null && retry <= LONGEST && tries < TRIES) await traffic.wait(retry)
    else throw new Refused(answer.status, body.error?.rule ?? '', body.error?.why ?? answer.statusText)
  }
}

async function ask<T>(path: string, options: RequestInit = {}, token = ''): Promise<T> {
  return (await (await fetched(path, options, token)).json()) as T
}

function send<T>(path: string, body: unknown, token = ''): Promise<T> {
  return ask<T>(path, { method: 'POST', body: JSON.stringify(body) }, token)
}

/** What the server offers. */
export const house = (): Promise<House> => ask('/api/house')

/** The ways in which it sends notices. */
export const offered = (): Promise<Offered> => ask('/api/notices')

// Accounts

interface Known {
  name: string | null
  csrf: string | null
}

function known(found: Known): string | null {
  proof = found.csrf
  return found.name
}

/** Who has logged in; null: nobody. */
export const account = (): Promise<string | null> => ask<Known>('/api/account').then(known)
export const signUp = (name: string, password: string): Promise<string | null> =>
  send<Known>('/api/accounts', { name, password }).then(known)
export const signIn = (name: string, password: string): Promise<string | null> =>
  send<Known>('/api/session', { name, password }).then(known)
export const signOut = (): Promise<string | null> => ask<Known>('/api/session', { method: 'DELETE' }).then(known)
export const newPassword = (old: string, fresh: string): Promise<string | null> =>
  send<Known>('/api/account/password', { old, new: fresh }).then(known)
export const deleteAccount = (password: string): Promise<string | null> =>
  send<Known>('/api/account/delete', { password }).then(known)

// Games and matches

export const games = (): Promise<GameInfo[]> =>
  ask<{ games: GameInfo[] }>('/api/games').then((found) => found.games)

/** Everything printed, and what a scenario fixes. */
export const board = (game: string, scenario: string): Promise<Board> =>
  ask(`/api/games/${game}/board?scenario=${encodeURIComponent(scenario)}`)

export const rules = (game: string, language: Language): Promise<Rule[]> =>
  ask<{ rules: Rule[] }>(`/api/games/${game}/rules?language=${language}`).then((found) => found.rules)

export const lesson = (game: string, name: string): Promise<Lesson> => ask(`/api/games/${game}/lessons/${name}`)

export const puzzle = (game: string, name: string): Promise<Puzzle> => ask(`/api/games/${game}/puzzles/${name}`)

export const pictureOf = (game: string): string => `/api/games/${game}/picture`
/** The same, small, for a list of games. */
export const smallPictureOf = (game: string): string => `/api/games/${game}/picture/small`

export interface Opened {
  id: string
  tokens: Record<Seat, string>
  watch: Record<Seat, string>
  invitations: Record<Seat, string>
  spectators: string | null
  owner: string | null
  /** What the house is bound to; null where a seed was given. */
  house: string | null
}

export interface NewMatch {
  game: string
  scenario: string
  options: Record<string, string | boolean>
  seats: Record<Seat, string>
  name?: string
  seed?: number | string
  /** Where the match begins, if not with the scenario's own set-up. */
  position?: Record<string, unknown>
  /** People begin with the standing orders that are sensible from the start. */
  routine?: boolean
  /** Seats for friends, and seats that anybody may take. */
  invite?: Seat[]
  open?: Seat[]
  /** The name of whoever begins it. */
  holder?: string
  clock?: ClockRule
  /** What the seats that are kept put into the dice: a word under seal now, or words after the answer. */
  seal?: string
  words?: boolean
  /** Whoever plays may ask the machine what it would do, and nobody is told. */
  practice?: boolean
}

export const matches = (tokens: string[]): Promise<MatchInfo[]> =>
  ask<{ matches: MatchInfo[] }>('/api/matches', { headers: { 'X-Fronte-Tokens': tokens.join(',') } }).then(
    (found) => found.matches,
  )

export const create = (match: NewMatch): Promise<Opened> => send('/api/matches', match)

const file = (text: string): RequestInit => ({ method: 'POST', body: text, headers: { 'Content-Type': 'text/plain' } })

/** What a saved match is, and who played it. */
export const look = (text: string): Promise<Looked> => ask('/api/matches/look', file(text))

/** Go on with a saved match; who played goes on playing, unless `seats` says otherwise. */
export const upload = (text: string, seats: Record<Seat, string> = {}): Promise<Opened> => {
  const who = Object.entries(seats).map(([seat, player]) => `${seat}:${player}`).join(',')
  return ask(`/api/matches/upload${who ? `?seats=${encodeURIComponent(who)}` : ''}`, file(text))
}

export const join = (id: string): Promise<Opened> => send(`/api/matches/${id}/join`, {})

export const openMatches = (): Promise<MatchInfo[]> =>
  ask<{ matches: MatchInfo[] }>('/api/matches/open').then((found) => found.matches)

export const sit = (id: string, seat: Seat, name: string, given: Contribution): Promise<Opened> =>
  send(`/api/matches/${id}/sit`, { seat, name, ...given })

export interface Wish {
  name?: string
  forced?: boolean
  spectators?: Choice
}

/** The requests about one match, in the name of one seat. */
export function seatAt(id: string, token: string) {
  const base = `/api/matches/${id}`
  return {
    info: () => ask<MatchInfo>(base, {}, token),
    /** With `open` without fog, once the match is over. */
    state: (since = -1, at?: number, open = false) =>
      ask<Table>(`${base}/state?since=${since}${at === undefined ? '' : `&at=${at}`}${open ? '&open=1' : ''}`, {}, token),
    resign: () => send<Table>(`${base}/resign`, {}, token),
    draw: (agree: boolean) => send<Table>(`${base}/draw`, { agree }, token),
    story: () => ask<Story>(`${base}/story`, {}, token),
    advice: (at: number, seat: Seat) => send<Advice>(`${base}/advice?at=${at}&seat=${seat}`, {}, token),
    /** Can what a step of a lesson asks for still be done? */
    lesson: (name: string, step: number) => ask<{ possible: boolean }>(`${base}/lesson?name=${name}&step=${step}`, {}, token),
    puzzle: (name: string, show: boolean) => ask<Judged>(`${base}/puzzle?name=${name}${show ? '&show=1' : ''}`, {}, token),
    judgement: (at: number, seat: Seat) => ask<Judgement>(`${base}/judgement?at=${at}&seat=${seat}`, {}, token),
    cost: (at: number, seat: Seat) => ask<Cost>(`${base}/cost?at=${at}&seat=${seat}`, {}, token),
    curve: (seat: Seat) => ask<Curve>(`${base}/curve?seat=${seat}`, {}, token),
    branch: (at: number, seats: Record<Seat, string>, name: string) => send<Opened>(`${base}/branch`, { at, seats, name }, token),
    rename: (name: string) => send<MatchInfo>(`${base}/name`, { name }, token),
    archive: (archived: boolean) => send<MatchInfo>(`${base}/archive`, { archived }, token),
    /** For good; whoever holds several seats shows the tokens of all. */
    remove: (tokens: string[]) => ask<{ id: string }>(base, { method: 'DELETE', headers: { 'X-Fronte-Tokens': tokens.join(',') } }, token),
    reasons: () => ask<{ reasons: Record<number, Reason> }>(`${base}/reasons`, {}, token).then((found) => found.reasons),
    odds: (action: Action) => send<OddsSheet>(`${base}/odds`, { action }, token),
    /** Null where it may not be played any more: a question may be answered while its odds are still being asked for, and that is no fault. */
    oddsIfAny: (action: Action) => send<{ sheets: (OddsSheet | null)[] }>(`${base}/odds/many`, { actions: [action] }, token).then(({ sheets }) => sheets[0] ?? null),
    /** Of a few at once; null for those that have none. */
    oddsOfMany: (actions: Action[]) => send<{ sheets: (OddsSheet | null)[] }>(`${base}/odds/many`, { actions }, token).then((found) => found.sheets),
    why: (action: Action) => send<{ refusal: { rule: string; why: string } | null }>(`${base}/why`, { action }, token),
    path: (unit: string, via: string[]) =>
      send<{ path: string[]; left: number | null; refusal: { rule: string; why: string } | null }>(
        `${base}/path`,
        { unit, via },
        token,
      ),
    whyNot: (piece: string, hex: string, along: string[] = []) =>
      ask<WhyNot>(`${base}/whynot?${new URLSearchParams({ piece, hex, ...(along.length ? { along: along.join() } : {}) })}`, {}, token),
    idle: () => ask<{ idle: Record<string, Idle> }>(`${base}/idle`, {}, token),
    outlook: () => ask<Outlook>(`${base}/outlook`, {}, token),
    cautions: (action: Action) => send<{ lines: CardLine[] }>(`${base}/cautions`, { action }, token),
    overlay: (name: string, about: Record<string, string> = {}) =>
      ask<Overlay>(`${base}/overlays/${name}?${new URLSearchParams(about)}`, {}, token),
    card: (about: { piece: string } | { hex: string }, at?: number) =>
      ask<Card>(`${base}/cards?${new URLSearchParams({ ...about, ...(at === undefined ? {} : { at: String(at) }) })}`, {}, token),
    save: () => fetched(`${base}/save`, {}, token).then((answer) => answer.blob()),
    luck: () => ask<Luck>(`${base}/luck`, {}, token),
    accept: (name: string, given: Contribution) => send<Opened>(`${base}/accept`, { name, ...given }, token),
    word: (given: Contribution) => send<Pledge>(`${base}/word`, given, token),
    anew: (agree: boolean) => send<Pledge>(`${base}/anew`, { agree }, token),
    fingerprint: () => ask<{ line: number; fingerprint: string | null }>(`${base}/fingerprint`, {}, token),
    claim: () => send(`${base}/claim`, {}, token),
    wish: (wish: Wish) => send<Wish>(`${base}/seat`, wish, token),
    win: () => send<Table>(`${base}/win`, {}, token),
    links: () => ask<{ links: LinkShown[] }>(`${base}/links`, {}, token).then((found) => found.links),
    makeLink: (kind: Role, seat: Seat) => send<MadeLink>(`${base}/links`, { kind, seat }, token),
    endLink: (link: string) =>
      ask<{ links: LinkShown[] }>(`${base}/links/${link}`, { method: 'DELETE' }, token).then((found) => found.links),
    renew: () => send<MadeLink>(`${base}/renew`, {}, token),
    chat: () => ask<{ messages: Said[] }>(`${base}/chat`, {}, token).then((found) => found.messages),
    say: (text: string, name: string) => send<Said>(`${base}/chat`, { text, name }, token),
    notes: () => ask<{ notes: Record<string, string> }>(`${base}/notes`, {}, token).then((found) => found.notes),
    note: (hex: string, text: string) =>
      send<{ notes: Record<string, string> }>(`${base}/notes`, { hex, text }, token).then((found) => found.notes),
    notices: () => ask<{ notices: NoticeShown[] }>(`${base}/notices`, {}, token).then((found) => found.notices),
    askNotice: (wanted: Record<string, string>) =>
      send<{ notices: NoticeShown[] }>(`${base}/notices`, { ...wanted, language: prefs.language }, token).then((found) => found.notices),
    confirmNotice: (notice: string, code: string) =>
      send<{ notices: NoticeShown[] }>(`${base}/notices/${notice}/confirm`, { code }, token).then((found) => found.notices),
    endNotice: (notice: string) =>
      ask<{ notices: NoticeShown[] }>(`${base}/notices/${notice}`, { method: 'DELETE' }, token).then((found) => found.notices),
    /** One line for this seat, or for all seats that are held here. */
    live: (since: number, revision: number | null, tokens: string[] = [token]) => {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const known = `&since=${since}${revision === null ? '' : `&revision=${revision}`}`
      // tokens go into the handshake, where no log of a proxy has them
      return new WebSocket(`${scheme}://${location.host}${base}/live?language=${prefs.language}${known}`, ['fronte.2', ...tokens.map((one) => `bearer.${one}`)])
    },
  }
}

export type SeatClient = ReturnType<typeof seatAt>
