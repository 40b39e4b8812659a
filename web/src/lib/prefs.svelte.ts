/** What this browser remembers of its user: language, text size, layers, pace. */

import type { Language } from './types'

const KEY = 'fronte.prefs'

export const LAYERS = ['numbers', 'altitude', 'zoc', 'supply', 'objectives', 'names', 'relief', 'control', 'units'] as const
export type Layer = (typeof LAYERS)[number]

/** Milliseconds between the moves of the machine, with their names. */
export const PACES = [[0, 'settings.pace0'], [400, 'settings.pace1'], [1200, 'settings.pace2'], [3000, 'settings.pace3']] as const

export interface Prefs {
  language: Language
  textSize: number
  layers: Record<Layer, boolean>
  /** Overlays of single games that are laid over the map. */
  overlays: string[]
  pace: number
  handover: boolean
  /** The lesson has been offered here and begun or put off. */
  met: boolean
}

function fromBrowser(): Language {
  const spoken = typeof navigator === 'undefined' ? 'en' : navigator.language
  return spoken.toLowerCase().startsWith('it') ? 'it' : 'en'
}

function initial(): Prefs {
  return {
    language: fromBrowser(),
    textSize: 100,
    layers: {
      numbers: true,
      altitude: false,
      zoc: false,
      supply: true,
      objectives: true,
      names: true,
      relief: true,
      control: false,
      units: true,
    },
    overlays: [],
    pace: 1200,
    handover: true,
    met: false,
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
    return saved ? { ...found, ...saved, layers: { ...found.layers, ...saved.layers } } : { ...found, ...fromAddress() }
  } catch {
    return { ...found, ...fromAddress() }
  }
}

export const prefs: Prefs = $state(stored())

export function keepPrefs(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs))
  } catch {
    // a browser that keeps nothing still plays
  }
}
