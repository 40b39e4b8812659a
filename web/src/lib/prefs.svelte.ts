/** What this browser remembers of its user: language, text size, theme, layers, pace, how wide the panel is. */

import type { Capabilities, Language } from './types'

const KEY = 'fronte.prefs'

export const LAYERS = ['numbers', 'altitude', 'objectives', 'names', 'relief', 'control', 'units', 'lastSeen', 'odds'] as const
export type Layer = (typeof LAYERS)[number]

/** By day, in the dark, or as the system has it. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Milliseconds between the moves of the machine, with their names. */
export const PACES = [[0, 'settings.pace0'], [400, 'settings.pace1'], [1200, 'settings.pace2'], [3000, 'settings.pace3']] as const

export interface Prefs {
  language: Language
  textSize: number
  theme: Theme
  /** The panel beside or below the map: its share of the window, and whether it is folded away. */
  panel: { beside: number | null; below: number | null; folded: boolean }
  layers: Record<Layer, boolean>
  /** Overlays of games that were laid over the map or taken off; the others are as the game usually has them. */
  overlays: Record<string, boolean>
  pace: number
  handover: boolean
  /** What can be foreseen of the next turn is laid over the map. */
  ahead: boolean
  /** A word before a move that leaves something behind. */
  caution: boolean
  /** Fights are shown on the map, beat by beat, unless the browser asks for less motion. */
  stage: boolean
  sound: boolean
  /** A notice when it is one's move and the page is not looked at. */
  notify: boolean
  /** The lesson has been offered here and begun or put off. */
  met: boolean
  /** Lessons that were taken to their end, as game/name. */
  learnt: string[]
  /** Puzzles that were judged, as game/name, with the most stars that were had. */
  solved: Record<string, number>
}

function fromBrowser(): Language {
  const spoken = typeof navigator === 'undefined' ? 'en' : navigator.language
  return spoken.toLowerCase().startsWith('it') ? 'it' : 'en'
}

function initial(): Prefs {
  return {
    language: fromBrowser(),
    textSize: 100,
    theme: 'system',
    panel: { beside: null, below: null, folded: false },
    layers: {
      numbers: true,
      altitude: false,
      objectives: true,
      names: true,
      relief: true,
      control: false,
      units: true,
      lastSeen: true,
      odds: true,
    },
    overlays: {},
    pace: 1200,
    handover: true,
    ahead: false,
    caution: true,
    stage: true,
    sound: false,
    notify: false,
    met: false,
    learnt: [],
    solved: {},
  }
}

/** The language that the address asks for (?language=it), if it does. */
function fromAddress(): Partial<Prefs> {
  const asked = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('language')
  return asked === 'en' || asked === 'it' ? { language: asked } : {}
}

function stored(): Prefs {
  const found = initial()
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Prefs> | null
    // what was chosen here counts more than what the program was started with
    if (!saved) return { ...found, ...fromAddress() }
    const overlays = Array.isArray(saved.overlays) ? {} : saved.overlays
    return { ...found, ...saved, panel: { ...found.panel, ...saved.panel }, layers: { ...found.layers, ...saved.layers }, overlays: { ...found.overlays, ...overlays } }
  } catch {
    return { ...found, ...fromAddress() }
  }
}

export const prefs: Prefs = $state(stored())

/** Is an overlay of a game to be laid over the map? */
export function isLaid(name: string, capabilities: Capabilities): boolean {
  return prefs.overlays[name] ?? capabilities.usual_overlays.includes(name)
}

/** Fold the panel away, or open it. */
export function fold(folded: boolean): void {
  prefs.panel.folded = folded
  keepPrefs()
}

export function keepPrefs(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs))
  } catch {
    // a browser that keeps nothing still plays
  }
}
