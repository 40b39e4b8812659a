import { describe, expect, it } from 'vitest'
import { invitedBy, linkIn } from './invited'
import type { Said } from './types'

const said = (number: number, seat: string, text: string): Said => ({ number, channel: 'players', seat, name: '', text, at: 0 })
const LINK = 'https://fronte.example/#join/abc2/tok-en_1'

describe('invitations in the chat', () => {
  it('are links of this page', () => {
    expect(linkIn(`Again? ${LINK} tonight`)).toEqual({ before: 'Again? ', link: LINK, hash: '#join/abc2/tok-en_1', match: 'abc2', after: ' tonight' })
    expect(linkIn('no link: #join')).toBeNull()
    expect(linkIn('javascript:alert(1)//#join/abc2/token')).toBeNull()
  })
  it('are taken from somebody else, the last one, to another match', () => {
    const all = [said(1, 'ah', LINK), said(2, 'italian', LINK.replace('abc2', 'mine')), said(3, '', LINK.replace('abc2', 'of a spectator'))]
    expect(invitedBy(all, 'italian', 'this')?.hash).toBe('#join/abc2/tok-en_1')
    expect(invitedBy(all, 'italian', 'abc2')).toBeNull()
    expect(invitedBy([], 'italian', 'this')).toBeNull()
  })
})
