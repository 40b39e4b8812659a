/** The font of the page, fetched when nothing else is waited for: whoever comes first reads at once in a font of his own system. */

import sheet from '../fonts.css?url'

const HERE = 'fronte.font'
/** So long nothing must have been fetched. */
const REST_MS = 700
/** After so long it is fetched all the same. */
const LATEST_MS = 8000

const fetched = (): boolean => {
  try {
    return localStorage.getItem(HERE) !== null
  } catch {
    return false
  }
}

/** Resolves when the page has come to rest. */
function atRest(): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const done = (): void => {
      seen.disconnect()
      clearTimeout(timer)
      clearTimeout(latest)
      resolve()
    }
    const wait = (): void => {
      clearTimeout(timer)
      timer = setTimeout(done, REST_MS)
    }
    const seen = new PerformanceObserver(wait)
    const latest = setTimeout(done, LATEST_MS)
    seen.observe({ type: 'resource' })
    wait()
  })
}

/** Bring the font: at once where this browser has it, else when the page is at rest. Not as a part of the program: a page that lacks it stays as it is. */
export async function bringFont(): Promise<void> {
  if (!fetched()) await atRest()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet })
  await new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = reject
    document.head.append(link)
  })
  try {
    localStorage.setItem(HERE, 'yes')
  } catch {
    // then it is asked for late the next time too
  }
}
