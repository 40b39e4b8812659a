/** Caporetto 1917. */

import type { Brought } from '..'
import Waiting from '../volturno/Waiting.svelte'
import Account from './Account.svelte'
import { ACTIONS } from './account'
import Activate from './Activate.svelte'
import Aim from './Aim.svelte'
import Counter from './Counter.svelte'
import Hq from './Hq.svelte'
import Losses from './Losses.svelte'
import Order from './Order.svelte'
import Plan from './Plan.svelte'
import Rail from './Rail.svelte'
import { fight } from './scene'
import SetUp from './SetUp.svelte'
import Wave from './Wave.svelte'

const panels = {
  'caporetto.plan': Plan,
  'caporetto.aim': Aim,
  'caporetto.activate': Activate,
  'caporetto.hq': Hq,
  'caporetto.wave': Wave,
  'caporetto.losses': Losses,
  'caporetto.order': Order,
  'caporetto.counter': Counter,
}

export const brought: Brought = {
  family: { rail: Rail, below: Waiting, over: Account, runs: ACTIONS, script: fight },
  panels: { 'caporetto.set_up': SetUp, ...panels },
  anew: Object.keys(panels),
}
