/** The rules reference of the game on the table: asked for when somebody wants to read in it, once in each language. */

import { t } from '../words'
import * as api from './api'
import type { Board, Language, Rule } from './types'

class Book {
  rules = $state.raw<Rule[]>([])
  private titles = $derived(new Map(this.rules.map((rule) => [rule.id, rule.title])))
  private cites = $state.raw<Record<string, string>>({})
  private shown = ''
  private game = ''
  private language: Language = 'en'
  private wanted = false

  /** It is the book of this game, to be read in this language. */
  lay({ game, cites }: Pick<Board, 'game' | 'cites'>, language: Language): void {
    this.cites = cites
    if (this.game !== game) this.rules = []
    this.game = game
    this.language = language
    if (this.wanted) void this.open()
  }

  /** Somebody wants to read. */
  async open(): Promise<void> {
    this.wanted = true
    const now = `${this.game} ${this.language}`
    if (!this.game || this.shown === now) return
    this.shown = now
    try {
      const found = await api.rules(this.game, this.language)
      if (this.shown === now) this.rules = found
    } catch {
      this.shown = '' // it is asked for again when it is next wanted
    }
  }

  /** A rule as the booklet cites it; a star marks a letter of ours. */
  label(id: string): string {
    // a table of the player aid has no number: it is called a table
    return this.cites[id] ?? (id.startsWith('table.') ? t('rules.table') : id)
  }

  title(id: string): string {
    return this.titles.get(id) ?? ''
  }
}

export const book = new Book()
