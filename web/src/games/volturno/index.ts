/** Volturno 1860. */

import type { Brought } from '..'
import { aimed } from './aimed'
import Charge from './Charge.svelte'
import Day from './Day.svelte'
import { ACTIVATIONS } from './day'
import Declare from './Declare.svelte'
import Dress from './Dress.svelte'
import Formation from './Formation.svelte'
import React from './React.svelte'
import Redirect from './Redirect.svelte'
import { fight } from './scene'
import SetUp from './SetUp.svelte'
import Tables from './Tables.svelte'
import Waiting from './Waiting.svelte'

export const brought: Brought = {
  family: { above: Formation, below: Waiting, over: Day, tables: Tables, runs: ACTIVATIONS, script: fight, isGrave: (table, names) => table.decision?.kind === 'activate' || aimed(table, names.board.board.grid).length > 0 },
  panels: {
    'volturno.set_up': SetUp,
    'volturno.declare': Declare,
    'volturno.react': React,
    'volturno.redirect': Redirect,
    'volturno.charge': Charge,
    'volturno.dress': Dress,
  },
  anew: ['volturno.redirect', 'volturno.charge', 'volturno.dress'],
}
