/** Notes that lie on the map and keep off the hexes they speak of. */

const GAP = 12

interface Span {
  left: number
  right: number
  top: number
  bottom: number
}

/** Does a note of this size cover fewer of these at the top of its frame than at the foot, where it usually lies? */
export function isBetterHigh(note: Span, frame: Span, hints: readonly Span[]): boolean {
  const height = note.bottom - note.top
  const covered = (top: number): number =>
    hints.filter((one) => one.right > note.left && one.left < note.right && one.bottom > top && one.top < top + height).length
  return covered(frame.bottom - GAP - height) > covered(frame.top + GAP)
}

/** The same of what is on the screen: the hexes that are pointed out, or those of another kind. */
export function liesBetterHigh(note: HTMLElement, of = 'hint'): boolean {
  const frame = note.offsetParent?.getBoundingClientRect()
  const hints = [...document.querySelectorAll(`polygon.${of}`)].map((one) => one.getBoundingClientRect())
  return frame !== undefined && isBetterHigh(note.getBoundingClientRect(), frame, hints)
}

/** Looks again when the map has come to rest, after what is pointed out has changed. */
export function keepOff(note: HTMLElement, put: (high: boolean) => void, of?: string): () => void {
  const waits = [80, 700].map((wait) => setTimeout(() => put(liesBetterHigh(note, of)), wait))
  return () => waits.forEach(clearTimeout)
}
