import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Beside every text of some size the same packed as well as can be, which the server sends to whoever takes it. */
const packed: Plugin = {
  name: 'packed',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /\.(js|css|html)$/.test(name))
    for (const name of texts) {
      const body = await readFile(join(dir, name))
      if (body.length >= 1000) await writeFile(join(dir, `${name}.br`), brotliCompressSync(body))
    }
  },
}

// The server gives out what is built here; `npm run dev` hands the interface on to a server that runs beside it.
export default defineConfig({
  base: '/',
  plugins: [svelte(), packed],
  build: {
    outDir: '../src/fronte/server/static',
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        // a few pieces of some size: what every page needs, and what tables and families share
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'base', priority: 2, test: /node_modules\/svelte\/|preload-helper|src\/words\/(?!it\b|\w+\.it\b)|src\/games\/index|src\/lib\/(prefs|api|busy|course|dates|desk|geometry|house|lesson|levels|pledge|shelf|sketch|template|tokens|why)\./ },
            { name: 'shared', priority: 1, test: /src\/lib\/|src\/acting\/(?!WhyNot)|src\/stage\/(perform|script|sound|stage)\.|src\/side\/(Dice\.|RuleLink|SaveButton|SmallTable|Source)|src\/table\/(Chip|Counter)|src\/games\/(volturno\/Waiting|inferno\/(combat|scene))/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8417', ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
