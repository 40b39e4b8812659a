/** The rules reference of the game on the table, asked for once in each language. */

import * as api from './api'
import type { Language, Rule } from './types'

class Book {
  rules = $state.raw<Rule[]>([])
  private titles = $derived(new Map(this.rules.map((rule) => [rule.id, rule.title])))
  private cited = $derived(new Map(this.rules.map((rule) => [rule.id, rule.cite ?? rule.id])))
  private shown = ''

  async open(game: string, language: Language): Promise<void> {
    const wanted = `${game} ${language}`
    if (this.shown === wanted) return
    this.shown = wanted
    try {
      const found = await api.rules(game, language)
      if (this.shown === wanted) this.rules = found
    } catch {
      this.shown = '' // it is asked for again when it is next wanted
    }
  }

  /** A rule as the booklet cites it; a star marks a letter of ours. */
  label(id: string): string {
    return this.cited.get(id) ?? id
  }

  title(id: string): string {
    return this.titles.get(id) ?? ''
  }
}

export const book = new Book()
