/** Isonzo and Altipiani. */

import type { Brought } from '..'
import Account from './Account.svelte'
import Attack from './Attack.svelte'
import Battle from './Battle.svelte'
import Cells from './Cells.svelte'
import { COMBATS } from './combat'
import Report from './Report.svelte'
import { battle } from './scene'
import Tables from './Tables.svelte'

export const brought: Brought = {
  family: { above: Battle, below: Report, over: Account, tables: Tables, runs: COMBATS, under: Cells, script: battle, isGrave: ({ decision, view }) => typeof decision?.about?.target === 'string' && view.stage.active !== decision.seat },
  panels: { 'inferno.attack': Attack },
  anew: [],
}
