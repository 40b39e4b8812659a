import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The server gives out what is built here; `npm run dev` hands the interface on to a server that runs beside it.
export default defineConfig({
  base: '/',
  plugins: [svelte()],
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
