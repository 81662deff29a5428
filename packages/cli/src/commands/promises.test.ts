import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')

function promises(...args: string[]) {
  return spawnSync(process.execPath, [BIN, 'promises', ...args], { encoding: 'utf8' })
}

describe('pb-oel promises', () => {
  it('prints one JSON document with a row for each setting', () => {
    const { stdout, status } = promises('dive:samples=300', '--repeats', '1', '--json')
    expect(status).toBe(0)
    const { rows, method } = JSON.parse(stdout)
    expect(method).toBe('pb-oel-plus')
    expect(rows.length).toBeGreaterThan(12)
    for (const { regretViolations, certificateViolations } of rows) {
      expect([regretViolations, certificateViolations]).toEqual([0, 0])
    }
  })

  it('says where the bound of the regret does not apply', () => {
    const { stdout } = promises('dive:samples=300', '--repeats', '1')
    expect(stdout).toContain('does not apply')
  })
})
