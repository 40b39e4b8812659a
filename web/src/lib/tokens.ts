/** The seats that this browser holds, by match. */

const KEY = 'fronte.tokens'

type Held = Record<string, Record<string, string>>

function all(): Held {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Held
  } catch {
    return {}
  }
}

export function tokensOf(match: string): Record<string, string> {
  return all()[match] ?? {}
}

/** What lists the matches of this browser: seats first, then what it may only look at. */
export function everyToken(): string[] {
  const seats = Object.values(all()).flatMap((held) => Object.values(held))
  const looking = Object.values(allLinks()).flatMap((links) => [...Object.values(links.watch ?? {}), links.spectator ?? ''])
  return [...seats, ...looking].filter(Boolean)
}

export function keepTokens(match: string, tokens: Record<string, string>): void {
  const held = all()
  held[match] = { ...held[match], ...tokens }
  keep(KEY, held)
}

function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // without storage the seat lasts as long as the page
  }
}

export function dropToken(match: string, seat: string): void {
  const held = all()
  const seats = Object.entries(held[match] ?? {}).filter(([one]) => one !== seat)
  keep(KEY, { ...held, [match]: Object.fromEntries(seats) })
}

/** Forget a match: it is gone, or is not wanted in the list any more. */
export function dropMatch(match: string): void {
  for (const [key, held] of [[KEY, all()], [LINKS, allLinks()]] as const) {
    keep(key, Object.fromEntries(Object.entries(held).filter(([one]) => one !== match)))
  }
}

/** The other links to a match that this browser has: to look on, and those to pass on to others. */
export interface Links {
  watch?: Record<string, string>
  spectator?: string
  owner?: string
  invitations?: Record<string, string>
}

const LINKS = 'fronte.links'

function allLinks(): Record<string, Links> {
  try {
    return JSON.parse(localStorage.getItem(LINKS) ?? '{}') as Record<string, Links>
  } catch {
    return {}
  }
}

export function linksOf(match: string): Links {
  return allLinks()[match] ?? {}
}

export function keepLinks(match: string, links: Links): void {
  const known = allLinks()
  keep(LINKS, { ...known, [match]: { ...known[match], ...links } })
}

/** Forget a link that is no longer good. */
export function dropLink(match: string, token: string): void {
  const { watch = {}, spectator, owner, invitations = {} } = linksOf(match)
  const good = (links: Record<string, string>) => Object.fromEntries(Object.entries(links).filter(([, one]) => one !== token))
  keep(LINKS, {
    ...allLinks(),
    [match]: {
      watch: good(watch),
      invitations: good(invitations),
      ...(spectator && spectator !== token ? { spectator } : {}),
      ...(owner && owner !== token ? { owner } : {}),
    },
  })
}
