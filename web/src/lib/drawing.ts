/** The board as the server draws it: fetched once, kept by the browser under its fingerprint, and taken apart into layers. */

export interface Drawing {
  /** Signs and branches, each drawn once, for whoever draws with `use`. */
  symbols: SVGElement[]
  /** What lies under the match, layer by layer, each a group with its class. */
  ground: SVGGElement[]
  /** The names of places, which are read above the counters. */
  names: SVGGElement[]
}

export const NOTHING: Drawing = { symbols: [], ground: [], names: [] }

export async function fetchDrawing(address: string): Promise<Drawing> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return takeApart(await answer.text())
}

function takeApart(text: string): Drawing {
  const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  const groups = [...drawn.children].filter((one) => one.localName === 'g').map((one) => document.importNode(one, true) as unknown as SVGGElement)
  const isName = (one: SVGGElement): boolean => one.getAttribute('class') === 'names'
  return {
    symbols: [...drawn.querySelectorAll('symbol')].map((one) => document.importNode(one, true)),
    ground: groups.filter((one) => !isName(one)),
    names: groups.filter(isName),
  }
}

/** Names that are words, in those of the reader: by what is drawn, what is said. */
export function renamed(layers: readonly SVGGElement[], said: ReadonlyMap<string, string>): void {
  for (const text of layers.flatMap((layer) => [...layer.querySelectorAll<SVGTextElement>('text')])) {
    const printed = (text.dataset.printed ??= text.textContent ?? '')
    const word = said.get(printed)
    if (word !== undefined) text.textContent = word
  }
}
