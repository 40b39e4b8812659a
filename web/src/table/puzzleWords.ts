/** The words of a puzzle at the table, which come with it and not with the first page. */

import { ownWords } from '../words'

const en = {
  scouts: 'What the scouts say',
  how: 'Play it on the map as you like, and take back what you like, until dice fall.',
  fold: 'Fold the puzzle away',
  unfold: 'Show the puzzle',
  judge: 'Judge my plan',
  judging: 'Counting all throws…',
  notYet: 'Nothing is decided yet: a plan is judged once dice have fallen, or your time is over.',
  yours: 'Yours: {chance}.',
  atLeast: 'Yours: at least {chance}.',
  best: 'Best found: {chance}.',
  naive: 'The machine, without looking for it: {chance}.',
  better: 'Better than what was found!',
  reached: 'And it was done.',
  missed: 'The dice said no; the odds are what counts.',
  show: 'Show the best',
  again: 'Again',
  next: 'Next puzzle',
  home: 'To the first page',
}

const it: Record<keyof typeof en, string> = {
  scouts: 'Che cosa dicono gli esploratori',
  how: 'Giocalo sulla mappa come vuoi, e annulla quanto vuoi, finché non cadono dadi.',
  fold: 'Riduci il problema',
  unfold: 'Mostra il problema',
  judge: 'Giudica il mio piano',
  judging: 'Conto tutti i tiri…',
  notYet: 'Non è ancora deciso niente: un piano si giudica quando sono caduti dadi, o quando il tempo è finito.',
  yours: 'Il tuo: {chance}.',
  atLeast: 'Il tuo: almeno {chance}.',
  best: 'Il migliore trovato: {chance}.',
  naive: 'Il computer, senza cercarlo: {chance}.',
  better: 'Meglio di quanto era stato trovato!',
  reached: 'Ed è riuscito.',
  missed: 'I dadi hanno detto di no; contano le probabilità.',
  show: 'Mostra il migliore',
  again: 'Di nuovo',
  next: 'Il prossimo',
  home: 'Alla prima pagina',
}

export const word = ownWords({ en, it })
