/** The server's interface (docs/server.md), one function per request. */

import type { Action, Board, GameInfo, Happening, Language, MatchInfo, Odds, Rule, Seat, SupplyPath, Table } from './types'

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

async function ask<T>(path: string, options: RequestInit = {}, token = ''): Promise<T> {
  const headers = new Headers(options.headers)
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (typeof options.body === 'string' && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  const answer = await fetch(path, { ...options, headers })
  if (!answer.ok) {
    const body = (await answer.json().catch(() => ({}))) as { error?: { rule?: string; why?: string } }
    throw new Refused(answer.status, body.error?.rule ?? '', body.error?.why ?? answer.statusText)
  }
  return (await answer.json()) as T
}

function send<T>(path: string, body: unknown, token = ''): Promise<T> {
  return ask<T>(path, { method: 'POST', body: JSON.stringify(body) }, token)
}

export const games = (): Promise<GameInfo[]> =>
  ask<{ games: GameInfo[] }>('/api/games').then((found) => found.games)

export const board = (game: string): Promise<Board> => ask(`/api/games/${game}/board`)

export const rules = (game: string, language: Language): Promise<Rule[]> =>
  ask<{ rules: Rule[] }>(`/api/games/${game}/rules?language=${language}`).then((found) => found.rules)

export const pictureOf = (game: string): string => `/api/games/${game}/picture`

export interface Opened {
  id: string
  tokens: Record<Seat, string>
}

export interface NewMatch {
  game: string
  scenario: string
  options: Record<string, string | boolean>
  seats: Record<Seat, string>
  name?: string
  seed?: number | string
}

export const matches = (tokens: string[]): Promise<MatchInfo[]> =>
  ask<{ matches: MatchInfo[] }>('/api/matches', { headers: { 'X-Fronte-Tokens': tokens.join(',') } }).then(
    (found) => found.matches,
  )

export const create = (match: NewMatch): Promise<Opened> => send('/api/matches', match)

export const upload = (text: string): Promise<Opened> =>
  ask('/api/matches/upload', { method: 'POST', body: text, headers: { 'Content-Type': 'text/plain' } })

export const join = (id: string): Promise<Opened> => send(`/api/matches/${id}/join`, {})

/** The requests about one match, in the name of one seat. */
export function seatAt(id: string, token: string) {
  const base = `/api/matches/${id}`
  return {
    info: () => ask<MatchInfo>(base, {}, token),
    state: (language: Language, since = -1, at?: number) =>
      ask<Table>(
        `${base}/state?language=${language}&since=${since}${at === undefined ? '' : `&at=${at}`}`,
        {},
        token,
      ),
    events: (language: Language, since = -1) =>
      ask<{ events: Happening[] }>(`${base}/events?language=${language}&since=${since}`, {}, token),
    odds: (action: Action) => send<Odds>(`${base}/odds`, { action }, token),
    why: (action: Action) => send<{ refusal: { rule: string; why: string } | null }>(`${base}/why`, { action }, token),
    path: (unit: string, via: string[]) =>
      send<{ path: string[]; left: number | null; refusal: { rule: string; why: string } | null }>(
        `${base}/path`,
        { unit, via },
        token,
      ),
    supply: (unit: string) => ask<SupplyPath>(`${base}/supply/${unit}`, {}, token),
    zones: () => ask<{ zoc: Record<Seat, string[]> }>(`${base}/zones`, {}, token),
    saveLink: `${base}/save?token=${encodeURIComponent(token)}`,
    live: (language: Language, since: number, revision: number | null) => {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const known = `&since=${since}${revision === null ? '' : `&revision=${revision}`}`
      const query = `token=${encodeURIComponent(token)}&language=${language}${known}`
      return new WebSocket(`${scheme}://${location.host}${base}/live?${query}`)
    },
  }
}

export type SeatClient = ReturnType<typeof seatAt>
