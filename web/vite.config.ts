import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The server gives out what is built here; `npm run dev` hands the interface on to a server that runs beside it.
export default defineConfig({
  base: '/',
  plugins: [svelte()],
  build: { outDir: '../src/fronte/server/static', emptyOutDir: true, target: 'es2022' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8417', ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
