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

export function everyToken(): string[] {
  return Object.values(all()).flatMap((seats) => Object.values(seats))
}

export function keepTokens(match: string, tokens: Record<string, string>): void {
  const held = all()
  held[match] = { ...held[match], ...tokens }
  try {
    localStorage.setItem(KEY, JSON.stringify(held))
  } catch {
    // without storage the seat lasts as long as the page
  }
}
