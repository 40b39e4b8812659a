import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import subsetFont from 'subset-font'
import { defineConfig } from 'vitest/config'

/** Fonts with no more letters than `fonts.css` says of each: those of Italian, German and English, and in a second file those of their neighbours. */
/** @type {import('vite').Plugin} */
const subset = {
  name: 'subset',
  async generateBundle(_options, bundle) {
    const faces = (await readFile(new URL('./src/fonts.css', import.meta.url), 'utf8')).split('@font-face').slice(1)
    const licence = new URL('./node_modules/@fontsource-variable/noto-sans/LICENSE', import.meta.url)
    this.emitFile({ type: 'asset', fileName: 'noto-sans-licence.txt', source: await readFile(licence) })
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== 'asset' || !name.endsWith('.woff2')) continue
      const face = faces.find((one) => name.includes(/files\/(.*)\.woff2/.exec(one)?.[1] ?? '?')) ?? ''
      const ranges = /unicode-range: ([^;]*);/.exec(face)?.[1]?.split(', ') ?? []
      const text = ranges.flatMap((range) => lettersOf(range)).join('')
      file.source = await subsetFont(Buffer.from(file.source), text, { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700 } } })
    }
  },
}

/** `U+20-7E`: all letters of a range. */
function lettersOf(range) {
  const [first = 0, last = first] = range.replace('U+', '').split('-').map((word) => parseInt(word, 16))
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
}

/** Beside every text of some size the same packed as well as can be, which the server sends to whoever takes it. */
/** @type {import('vite').Plugin} */
const packed = {
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
  plugins: [svelte(), subset, packed],
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
            { name: 'base', priority: 2, test: /node_modules\/svelte\/|preload-helper|src\/words\/(?!it\b|\w+\.it\b)|src\/games\/index|src\/lib\/(prefs|api|busy|course|dates|desk|fonts|geometry|handicap|house|lesson|levels|pledge|renew|roman|shelf|sketch|template|tokens|why)\./ },
            { name: 'shared', priority: 1, test: /src\/lib\/|src\/acting\/(?!WhyNot|Allocate|Over|Paths|Place|Subset)|src\/stage\/(perform|script|sound|stage)\.|src\/side\/(Dice\.|RuleLink|SaveButton|SmallTable|Source)|src\/table\/(Chip|Counter)|src\/games\/(volturno\/Waiting|inferno\/(combat|scene))/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8417', ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
