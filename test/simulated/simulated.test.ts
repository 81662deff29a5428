import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GCC } from '../support/needs.ts'

const ROOT = join(import.meta.dirname, '../..')

const simulate = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/simulate.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

describe('the simulated server', () => {
  it.skipIf(!GCC)('keeps its promises through power cuts and a bad network, from 50 seeds (needs gcc)', () => {
    const { stdout, stderr } = simulate('--seeds', '50', '--steps', '60')
    expect(`${stdout}${stderr}`).toMatch(/^50 of 50 seeds passed in \S+ s\n$/)
  })

  it('refuses a number of seeds that is none, and says what would be right', () => {
    const { status, stderr } = simulate('--seeds', 'many')
    expect(status).toBe(2)
    expect(stderr).toContain('--seeds: expected a whole number from 1, got many')
  })
})
