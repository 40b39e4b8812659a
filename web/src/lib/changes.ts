/** What has changed from one table to the next, as the server tells it (docs/server.md, "Websocket"). */

export type Change = ['=', unknown] | ['{', Record<string, Change>, string[]?] | ['[', ...Part[]]
/** A stretch of the list before: from where, and how many; or -1 and new elements. */
type Part = [number, ...unknown[]]

/** The value after a change. Whatever has not changed is the very same as before, so that nothing of it is painted again. */
export function applied(old: unknown, change: Change): unknown {
  if (change[0] === '=') return change[1]
  if (change[0] === '{') {
    const [, other, gone = []] = change
    const found: Record<string, unknown> = { ...(old as Record<string, unknown>) }
    for (const name of gone) delete found[name]
    for (const [name, one] of Object.entries(other)) found[name] = applied(found[name], one)
    return found
  }
  const [, ...parts] = change
  return parts.flatMap(([at, ...more]) => (at < 0 ? more : (old as unknown[]).slice(at, at + (more[0] as number))))
}
