/** What families of games bring to the table besides the words of their packs: panels, and what stands beside a question. */

import type { Component } from 'svelte'
import Attack from './inferno/Attack.svelte'
import Battle from './inferno/Battle.svelte'
import Report from './inferno/Report.svelte'

/** Panels of a family, by the name that a decision gives. */
export const PANELS: Record<string, Component> = { 'inferno.attack': Attack }

/** What a family shows above and below every question. */
export const BESIDE: Record<string, { above?: Component<{ about: Record<string, unknown> }>; below?: Component }> = {
  inferno: { above: Battle, below: Report },
}
