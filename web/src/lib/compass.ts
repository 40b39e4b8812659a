/** The six ways a piece can look, as signs. */

/** In the order of the words of the game's table `compass`: from the upper side on, clockwise. */
export const ARROWS: readonly string[] = ['↑', '↗', '↘', '↓', '↙', '↖']

/** These directions as signs, in that order. */
export function signsOf(words: readonly string[], some: readonly string[]): string {
  return words.flatMap((word, at) => (some.includes(word) ? [ARROWS[at] ?? ''] : [])).join(' ')
}
