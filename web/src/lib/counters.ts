/** Signs on counters: sizes, corps numbers and their colours. */

export const SIZE_MARK: Record<string, string> = { army: 'XXXX', corps: 'XXX', division: 'XX', brigade: 'X', regiment: 'III', battalion: 'II' }

const CORPS_COLOURS = ['#8c2f39', '#1f5673', '#5b4a8a', '#2f6b3c', '#9a5a12', '#3b3b3b', '#7a2f6b', '#0f6b6b', '#6b5a1e', '#a33b1f']

export function corpsColour(corps: number): string {
  return CORPS_COLOURS[corps % CORPS_COLOURS.length] ?? '#3b3b3b'
}

/** The printed colour of a side, a little lighter and stronger, so that black print stands out on a screen. */
export function cardColour(printed: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => parseInt(printed.slice(at, at + 2), 16) / 255)
  const most = Math.max(r, g, b)
  const least = Math.min(r, g, b)
  const light = (most + least) / 2
  const range = most - least
  const strength = range === 0 ? 0 : range / (1 - Math.abs(2 * light - 1))
  const sector = range === 0 ? 0 : most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range
  const percent = (share: number): string => `${Math.round(share * 100)}%`
  return `hsl(${Math.round((sector * 60 + 360) % 360)} ${percent(Math.min(1, strength * 1.9))} ${percent(light + (1 - light) * 0.35)})`
}

/** The sign on a counter for a condition. */
export function signOf(condition: string): string {
  return { low: 'LS', out: 'OOS', mov: 'MOV' }[condition] ?? condition
}

/** A number as the Romans wrote it. */
export function roman(number: number): string {
  const signs: [number, string][] = [[50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]
  let rest = number
  let text = ''
  for (const [value, sign] of signs) {
    while (rest >= value) {
      text += sign
      rest -= value
    }
  }
  return text
}
