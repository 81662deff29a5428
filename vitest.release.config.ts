import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests of `npm run test:release`: they install whole clones and several Nodes, which takes minutes. */
const release = mergeConfig(base, defineConfig({ test: { testTimeout: 600_000, hookTimeout: 600_000 } }))
release.test.include = ['test/release/*.test.ts']
release.test.exclude = []
release.test.fileParallelism = false
export default release
