/** Caporetto 1917. */

import type { Brought } from '..'
import Waiting from '../volturno/Waiting.svelte'
import Account from './Account.svelte'
import { ACTIONS } from './account'
import Activate from './Activate.svelte'
import Hq from './Hq.svelte'
import Plan from './Plan.svelte'
import Rail from './Rail.svelte'
import { fight } from './scene'
import SetUp from './SetUp.svelte'
import Tables from './Tables.svelte'

const panels = {
  'caporetto.plan': Plan,
  'caporetto.activate': Activate,
  'caporetto.hq': Hq,
}
/** What is asked once there is a fight. */
const later = {
  'caporetto.aim': () => import('./Aim.svelte'),
  'caporetto.wave': () => import('./Wave.svelte'),
  'caporetto.losses': () => import('./Losses.svelte'),
  'caporetto.order': () => import('./Order.svelte'),
  'caporetto.counter': () => import('./Counter.svelte'),
}

export const brought: Brought = {
  family: { rail: Rail, below: Waiting, over: Account, tables: Tables, runs: ACTIONS, script: fight },
  panels: { 'caporetto.set_up': SetUp, ...panels },
  later,
  anew: [...Object.keys(panels), ...Object.keys(later)],
}
