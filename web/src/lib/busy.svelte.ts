/** A server that is too busy says when to come again; nothing has happened until then. */

class Traffic {
  /** Requests that wait to be sent again. */
  waiting = $state(0)

  /** Wait as long as the server asks for, and up to twice as long, so that not all come back at once. */
  async wait(seconds: number): Promise<void> {
    this.waiting += 1
    await new Promise((done) => setTimeout(done, 1000 * seconds * (1 + Math.random())))
    this.waiting -= 1
  }
}

export const traffic = new Traffic()

/** How often something is sent again before one is told that it did not work. */
export const TRIES = 4
/** Longer waits are not for a page that somebody looks at. */
export const LONGEST = 10
