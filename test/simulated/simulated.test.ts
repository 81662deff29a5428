import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GCC } from '../support/needs.ts'
import { SIMULATED_ERRORS } from './planted.ts'

const ROOT = join(import.meta.dirname, '../..')

const simulate = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/simulate.ts', ...args], { cwd: ROOT, encoding: 'utf8' })

describe('the simulated server', () => {
  it.skipIf(!GCC)('keeps its promises through power cuts and a bad network, from 50 seeds (needs gcc)', () => {
    const { stdout, stderr } = simulate('--seeds', '50', '--steps', '50')
    expect(`${stdout}${stderr}`).toMatch(/^50 of 50 seeds passed in \S+ s\n$/)
  })

  it.skipIf(!GCC)('runs a seed the same way each time (needs gcc)', () => {
    const prints = [1, 2].map(() =>
      simulate('--seed', '3', '--steps', '50').stdout.match(/fingerprint of the \w+ [0-9a-f]{16}/g),
    )
    expect(prints[0]).toHaveLength(2)
    expect(prints[1]).toEqual(prints[0])
  })

  it.each(SIMULATED_ERRORS)('$name: the lines still stand, so that they can be changed', ({ edits }) => {
    for (const { file, right } of edits) {
      expect([file, readFileSync(join(ROOT, file), 'utf8').split(right).length]).toEqual([file, 2])
    }
  })

  it('refuses a number of seeds that is none, and says what would be right', () => {
    const { status, stderr } = simulate('--seeds', 'many')
    expect(status).toBe(2)
    expect(stderr).toContain('--seeds: expected a whole number from 1, got many')
  })
})
