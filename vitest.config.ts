import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'site/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
