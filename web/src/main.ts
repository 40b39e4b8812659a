import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { bringFont } from './lib/fonts'
import { prefs } from './lib/prefs.svelte'
import { renew } from './lib/renew'
import { bringWords } from './words/loaded.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the program')

addEventListener('vite:preloadError', () => void renew())

await bringWords(prefs.language).catch(() => undefined) // a server that does not answer is told of in English

void bringFont().catch(() => undefined) // without it the page stays as it is

export default mount(App, { target })
