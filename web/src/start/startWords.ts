/** Words that only the first page has, and that come with it. */

import { ownWords } from '../words'

const en = {
  evening: 'For a first evening:',
  eveningText: 'a short scenario against the machine as a recruit, who makes mistakes too; an hour or less.',
  puzzles: 'Puzzles',
  puzzlesText: 'Positions out of machine games: what is asked can be done, but not by the first thing that comes to mind. You are judged by exact odds, not by how your dice fall.',
  puzzlesOf: 'All puzzles of all games',
  uploadWrong: 'This file cannot be opened as a match.',
}

const it: Record<keyof typeof en, string> = {
  evening: 'Per la prima sera:',
  eveningText: 'uno scenario corto contro il computer al livello di recluta, che fa errori anche lui; un’ora o meno.',
  puzzles: 'Problemi',
  puzzlesText: 'Posizioni prese da partite del computer: quello che si chiede si può fare, ma non con la prima idea che viene. Contano le probabilità esatte, non come cadono i tuoi dadi.',
  puzzlesOf: 'Tutti i problemi di tutti i giochi',
  uploadWrong: 'Questo file non si può aprire come partita.',
}

export const word = ownWords({ en, it })
