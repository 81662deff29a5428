import { availableParallelism } from 'node:os'
import { delimiter, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import SkipReporter from './scripts/skips.ts'
import SlowFirst from './scripts/slow-first.ts'
import { BUNDLED_SERVER } from './test/support/bundle.ts'

/** Where the set-up puts programs it has built for the tests. */
const BUILT = resolve(import.meta.dirname, '.cache/bin')

// Tests start some hundred processes and threads of the same sources: what the first has compiled, the others use.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '.cache/compiled')

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'site/**/*.test.ts'],
    exclude: ['test/release/**', '**/node_modules/**'],
    reporters: ['default', new SkipReporter()],
    // Many tests wait for servers and browsers, so that three files at a time share even two cores well.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // To load the server anew for each file would take a fifth of the whole: files share what was loaded.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A busy machine is slow, not wrong: what is waited for has time. The default is one second.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: './test/support/bundle.ts',
    env: { PB_OEL_BUNDLED_SERVER: BUNDLED_SERVER, PATH: `${BUILT}${delimiter}${process.env.PATH}` },
  },
})
