/** What families of games bring to the table besides the words of their packs. */

import type { Component } from 'svelte'
import type { Runs } from '../lib/log'
import type { Happening } from '../lib/types'
import Account from './caporetto/Account.svelte'
import Activate from './caporetto/Activate.svelte'
import Aim from './caporetto/Aim.svelte'
import Counter from './caporetto/Counter.svelte'
import Hq from './caporetto/Hq.svelte'
import Losses from './caporetto/Losses.svelte'
import Order from './caporetto/Order.svelte'
import Plan from './caporetto/Plan.svelte'
import Rail from './caporetto/Rail.svelte'
import Posts from './caporetto/SetUp.svelte'
import Wave from './caporetto/Wave.svelte'
import { ACTIONS } from './caporetto/account'
import Attack from './inferno/Attack.svelte'
import Battle from './inferno/Battle.svelte'
import Cells from './inferno/Cells.svelte'
import { COMBATS } from './inferno/combat'
import Report from './inferno/Report.svelte'
import Tables from './inferno/Tables.svelte'
import Charge from './volturno/Charge.svelte'
import Day from './volturno/Day.svelte'
import Declare from './volturno/Declare.svelte'
import Dress from './volturno/Dress.svelte'
import Formation from './volturno/Formation.svelte'
import React from './volturno/React.svelte'
import Redirect from './volturno/Redirect.svelte'
import SetUp from './volturno/SetUp.svelte'
import Waiting from './volturno/Waiting.svelte'
import { ACTIVATIONS } from './volturno/day'

/** Panels of a family, by the name that a decision gives. */
export const PANELS: Record<string, Component> = {
  'inferno.attack': Attack,
  'volturno.set_up': SetUp,
  'volturno.declare': Declare,
  'volturno.react': React,
  'volturno.redirect': Redirect,
  'volturno.charge': Charge,
  'volturno.dress': Dress,
  'caporetto.set_up': Posts,
  'caporetto.plan': Plan,
  'caporetto.aim': Aim,
  'caporetto.activate': Activate,
  'caporetto.hq': Hq,
  'caporetto.wave': Wave,
  'caporetto.losses': Losses,
  'caporetto.order': Order,
  'caporetto.counter': Counter,
}

/** Those of them that keep what is being chosen, and begin anew with the next question. */
export const ANEW = [
  'volturno.redirect', 'volturno.charge', 'volturno.dress',
  'caporetto.plan', 'caporetto.aim', 'caporetto.activate', 'caporetto.hq', 'caporetto.wave', 'caporetto.losses', 'caporetto.order', 'caporetto.counter',
]

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
}

export const FAMILIES: Record<string, Family> = {
  inferno: { above: Battle, below: Report, tables: Tables, runs: COMBATS, under: Cells },
  volturno: { above: Formation, below: Waiting, over: Day, runs: ACTIVATIONS },
  caporetto: { rail: Rail, below: Waiting, over: Account, runs: ACTIONS },
}
