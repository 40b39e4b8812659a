/** Standing orders as they are typed: policies with parameters, tried in turn (engine/standing.py). */

export interface Clause {
  policy: string
  given: Record<string, string>
}

export function readOrder(text: string): Clause[] {
  if (!text.trim()) return []
  return text.split(';').map((part) => {
    const [policy = '', ...words] = part.trim().split(/\s+/)
    const pairs = words.map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])
    return { policy, given: Object.fromEntries(pairs) }
  })
}

export function writeOrder(clauses: readonly Clause[]): string {
  return clauses
    .map(({ policy, given }) => [policy, ...Object.entries(given).filter(([, value]) => value !== '').map(([name, value]) => `${name}=${value}`)].join(' '))
    .join('; ')
}
