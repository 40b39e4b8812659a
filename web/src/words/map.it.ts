import type { map as en } from './map.en'

/** Italian: the map, its legend, and how the table is laid out. */
export const map: Record<keyof typeof en, string> = {
  'app.theme': 'Colori',
  'theme.system': 'come nel sistema',
  'theme.light': 'chiari',
  'theme.dark': 'scuri',
  'panel.fold': 'Chiudi il pannello (P)',
  'panel.unfold': 'Apri il pannello (P)',
  'panel.size': 'Bordo del pannello: trascinalo, o usa le frecce; un doppio clic lo rimette a posto',
  'legend.title': 'Legenda della mappa',
  'legend.terrain': 'Terreno',
  'legend.relief': 'Quote e pendii',
  'legend.water': 'Acque e passaggi',
  'legend.routes': 'Strade e ferrovie',
  'legend.places': 'Luoghi',
  'legend.works': 'Opere e confini',
  'legend.signs': 'Segni e colori del gioco',
  'legend.counters': 'Marcatori sulle pedine',
  'legend.worth': 'Punti di un luogo tenuto da: {side}',
  'legend.reach': 'un esagono raggiungibile',
  'legend.target': 'un esagono attaccabile',
  'legend.chosen': 'scelto',
  'hex.lastSeen': 'Vista qui l’ultima volta al turno {n}: {unit}',
  'legend.lastSeen': 'un nemico fuori vista, col turno in cui è stato visto l’ultima volta',
  'layer.lastSeen': 'Nemici visti l’ultima volta',
}
