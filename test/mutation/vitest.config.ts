import { defineConfig } from 'vitest/config'

/** The tests that mutants are run against: those named by scripts/mutate.ts, in this process, without browsers. */
export default defineConfig({
  test: {
    include: (process.env.PB_OEL_MUTATE_TESTS ?? 'packages/core/src/**/*.test.ts').split(','),
    root: process.cwd(),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
