/** The rules reference of the game on the table, asked for once in each language. */

import * as api from './api'
import type { Language, Rule } from './types'

class Book {
  rules = $state.raw<Rule[]>([])
  private titles = $derived(new Map(this.rules.map((rule) => [rule.id, rule.title])))
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

  title(id: string): string {
    return this.titles.get(id) ?? ''
  }
}

export const book = new Book()
