/** Invitations that are passed on in the chat. */

import type { Said, Seat } from './types'

const LINK = /https?:\/\/\S+#join\/([\w-]+)\/[\w-]+/

/** A text around the link to a match that it names: before it, where it leads on this page, and after it; null where it names none. */
export function linkIn(text: string): { before: string; link: string; hash: string; match: string; after: string } | null {
  const found = LINK.exec(text)
  if (!found) return null
  const [link, match = ''] = found
  return { before: text.slice(0, found.index), link, hash: link.slice(link.indexOf('#')), match, after: text.slice(found.index + link.length) }
}

/** The last invitation of somebody else to another match than this one. */
export function invitedBy(said: readonly Said[], mine: Seat, match: string): { message: Said; hash: string } | null {
  for (const message of said.toReversed()) {
    const found = message.seat && message.seat !== mine ? linkIn(message.text) : null
    if (found && found.match !== match) return { message, hash: found.hash }
  }
  return null
}
