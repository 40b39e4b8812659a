/** What overlays lay over the map: colours for layers that belong to no force, and what they mean. */

import type { Force, Overlay } from './types'

/** Apart from each other for everybody's eyes, and from the colours of forces. */
const TONES = ['#23407f', '#7a4a00', '#5b2a86', '#00595b', '#7a1240']

/** The numbers over hexes that could be attacked have this colour. */
export const STRIKE = '#a3271f'

export interface Key {
  overlay: string
  kind: string
  colour: string
}

/** By overlay and kind the colour of a layer without a force; `fog` and `rain` of one overlay differ. */
export function keys(laid: Record<string, Overlay>): Key[] {
  return Object.values(laid).flatMap(({ name, layers = [] }) => {
    const kinds = [...new Set(layers.flatMap(({ kind = '', force = '', hexes = [] }) => (kind && !force && hexes.length ? [kind] : [])))]
    return kinds.map((kind, i) => ({ overlay: name, kind, colour: kind === 'strike' ? STRIKE : TONES[i % TONES.length]! }))
  })
}

/** The colour of a layer: its force's, else that of its kind. */
export function colourOf(found: readonly Key[], overlay: string, kind: string, force: Force, ink: (force: Force) => string): string {
  return force ? ink(force) : (found.find((one) => one.overlay === overlay && one.kind === kind)?.colour ?? ink(''))
}
