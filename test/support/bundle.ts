// Before the tests: builds the page, and puts the server into few files. A process that loads some thousand sources
// needs three times as long to start, and the tests start a hundred servers.
import { execFileSync } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'packages')
/** As deep as the sources that look for the built page beside their package. */
const FOLDER = join(PACKAGES, 'server/.cache/tests/bundle')
/** A server in a process of its own, as `packages/server/src/testing/serve-child.ts` has it. */
export const BUNDLED_SERVER = join(FOLDER, 'serve-child.js')

/** Where it starts, and the threads that it starts by their names. */
const ENTRIES = {
  'serve-child': 'server/src/testing/serve-child.ts',
  'sqlite-worker': 'server/src/log/sqlite-worker.ts',
  'fold-worker': 'server/src/seat/fold-worker.ts',
  'reading-worker': 'server/src/reading/reading-worker.ts',
  thread: 'core/src/rvfl/kernel/thread.ts',
}

/** Whether no source is newer than the bundle. */
function isFresh(): boolean {
  const built = statSync(BUNDLED_SERVER, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync(['{core,lab,protocol,server}/src/**/*.ts', '../package-lock.json'], { cwd: PACKAGES })
  return sources.every((file) => statSync(join(PACKAGES, file)).mtimeMs < built)
}

export default async function setup(): Promise<void> {
  execFileSync(process.execPath, [join(PACKAGES, 'web/scripts/build-if-changed.mjs')])
  if (isFresh()) return
  rmSync(FOLDER, { recursive: true, force: true })
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(PACKAGES, file)]))
  const bundle = await rolldown({ input, platform: 'node', treeshake: false, logLevel: 'silent' })
  await bundle.write({ dir: FOLDER, format: 'esm' })
  await bundle.close()
}
