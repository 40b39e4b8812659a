/** What families of games bring to the table besides the words of their packs. It is fetched with a board of the family. */

import type { Component } from 'svelte'
import type { Runs } from '../lib/log'
import type { Names } from '../lib/names'
import type { Happening, Table } from '../lib/types'
import type { Script } from '../stage/script'

export interface Family {
  /** Where the turn stands, for whoever looks on. */
  rail?: Component
  /** What stands above every question, and below it. */
  above?: Component<{ about: Record<string, unknown> }>
  below?: Component
  /** What is told at the end besides. */
  over?: Component
  /** Its printed tables, where more is to be shown than their rows. */
  tables?: Component
  /** Events of the log that belong together, and what stands below them. */
  runs?: Runs
  under?: Component<{ events: Happening[] }>
  /** Is what is asked no routine, though a standing order could answer it? */
  isGrave?: (table: Pick<Table, 'decision' | 'view'>, names: Names) => boolean
  /** Its fights as they are shown on the map. */
  script?: Script
}

type Later = () => Promise<{ default: Component }>

/** All that a family brings. */
export interface Brought {
  family: Family
  /** Its panels, by the name that a decision gives. */
  panels: Record<string, Component>
  /** Those that are fetched when they are first asked for. */
  later?: Record<string, Later>
  /** Those of them that keep what is being chosen, and begin anew with the next question. */
  anew: string[]
}

export const FAMILIES: Record<string, Family> = {}
export const PANELS: Record<string, Component> = {}
export const LATER: Record<string, Later> = {}
export const ANEW: string[] = []

const WHERE: Record<string, () => Promise<{ brought: Brought }>> = {
  inferno: () => import('./inferno'),
  volturno: () => import('./volturno'),
  caporetto: () => import('./caporetto'),
}

/** Fetch what a family brings, before anybody sits down to one of its games; many bring nothing. */
export async function bring(family: string): Promise<void> {
  if (family in FAMILIES || !WHERE[family]) return
  const { brought } = await WHERE[family]()
  FAMILIES[family] = brought.family
  Object.assign(PANELS, brought.panels)
  Object.assign(LATER, brought.later)
  ANEW.push(...brought.anew)
}
