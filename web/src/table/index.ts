/** All that sitting at a table needs, and the first page does without: it is fetched when a match is opened. */

export { Names } from '../lib/names'
export { Session } from '../lib/session.svelte'
export { default as HandOver } from './HandOver.svelte'
export { default as TableView } from './TableView.svelte'
