/** A part of the program could not be fetched: the server has a newer one, whose parts have other names, or it does not answer. */

const LAST = 'fronte.renewed'
/** Not for ever: a page that lacks its part anew so soon stays as it is. */
const LEAST_MS = 60_000
/** How often a server that does not answer is asked again. */
const AGAIN_MS = 2000

let asking = false

const answers = (): Promise<boolean> =>
  fetch(location.pathname, { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false
  )

/** Take the page anew as soon as there is one to take: without a server it would be thrown away for nothing. */
export async function renew(): Promise<void> {
  if (asking || Date.now() - Number(sessionStorage.getItem(LAST) ?? 0) < LEAST_MS) return
  asking = true
  while (!(await answers())) await new Promise((done) => setTimeout(done, AGAIN_MS))
  sessionStorage.setItem(LAST, String(Date.now()))
  location.reload()
}
