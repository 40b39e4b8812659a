/** The pen with which arrows and notes are drawn on the map. */

import type { HexId } from '../lib/types'
import { nothing, readDrawn, without, withArrow, withNote, type Drawn } from './drawn'

export type Tool = '' | 'arrow' | 'note' | 'rub'

class Pen {
  tool = $state<Tool>('')
  ink = $state(0)
  drawn = $state.raw<Drawn>(nothing())
  /** The arrow that is being drawn. */
  way = $state.raw<HexId[]>([])
  /** The hex on which a note is being written. */
  writing = $state<HexId | null>(null)
  private place = ''

  /** Whose drawings these are: one match, one seat. */
  sit(match: string, seat: string): void {
    const place = `fronte.drawn.${match}.${seat}`
    if (place === this.place) return
    this.place = place
    this.tool = ''
    this.writing = null
    this.way = []
    try {
      this.drawn = readDrawn(localStorage.getItem(place))
    } catch {
      this.drawn = nothing()
    }
  }

  private keep(drawn: Drawn): void {
    this.drawn = drawn
    try {
      if (drawn.arrows.length || Object.keys(drawn.notes).length) localStorage.setItem(this.place, JSON.stringify(drawn))
      else localStorage.removeItem(this.place)
    } catch {
      // it lasts as long as the page
    }
  }

  choose(tool: Tool): void {
    this.tool = this.tool === tool ? '' : tool
    this.writing = null
    this.way = []
  }

  /** The pen is set down on a hex; false where none is held. */
  down(hex: HexId | null): boolean {
    if (!this.tool) return false
    this.way = hex ? [hex] : []
    return true
  }

  over(hex: HexId | null): void {
    if (this.tool === 'arrow' && hex && this.way.length && this.way.at(-1) !== hex) this.way = [...this.way, hex]
  }

  /** It is lifted: what it has drawn is kept. */
  up(hex: HexId | null): void {
    const way = this.way
    this.way = []
    if (this.tool === 'arrow') this.keep(withArrow(this.drawn, way, this.ink))
    else if (this.tool === 'rub' && hex) this.keep(without(this.drawn, hex))
    else if (this.tool === 'note') this.writing = hex
  }

  write(text: string): void {
    if (this.writing) this.keep(withNote(this.drawn, this.writing, text))
    this.writing = null
  }

  clear(): void {
    this.keep(nothing())
  }

  get empty(): boolean {
    return !this.drawn.arrows.length && !Object.keys(this.drawn.notes).length
  }
}

export const pen = new Pen()
