// How much a page downloads for an import: bundled, minified and compressed, as Vite does it for an app.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'

/** What an app keeps of which imports, and how many bytes its bundle may have after gzip. */
const LIMITS = [
  { name: 'import { PbOel }', code: "import { PbOel } from '@pb-oel/core'\nglobalThis.kept = PbOel", limit: 27_000 },
  { name: 'the whole of core', code: wholeOfCore(), limit: 90_000 },
]

function wholeOfCore(): string {
  const entries = ['', '/drift', '/learners', '/rivals', '/streams', '/laws']
  const imports = entries.map((entry, i) => `import * as part${i} from '@pb-oel/core${entry}'`)
  return `${imports.join('\n')}\nglobalThis.kept = [${entries.map((_, i) => `part${i}`)}]`
}

/** One line for each bundle above its limit. `folder` holds node_modules with the packages as published. */
export async function oversized(folder: string): Promise<string[]> {
  const sizes = await measuredSizes(folder)
  return sizes
    .filter(({ size, limit }) => size > limit)
    .map(({ name, size, limit }) => `${name} is ${size} bytes after gzip; at most ${limit}`)
}

/** Each import with the bytes of its bundle after gzip. */
export async function measuredSizes(folder: string) {
  return Promise.all(
    LIMITS.map(async ({ name, code, limit }, i) => {
      const entry = join(folder, `entry-${i}.js`)
      writeFileSync(entry, code)
      return { name, limit, size: await bundleSize(entry, folder) }
    }),
  )
}

/** Bytes of the bundle of the program `entry` after gzip. */
async function bundleSize(entry: string, root: string): Promise<number> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, modulePreload: false, rolldownOptions: { input: entry } },
  })) as Rollup.RollupOutput
  return output.reduce((sum, chunk) => sum + ('code' in chunk ? gzipSync(chunk.code, { level: 9 }).length : 0), 0)
}
