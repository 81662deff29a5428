import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-certify-'))
afterAll(() => rmSync(folder, { recursive: true }))

function certify(...args: string[]) {
  return spawnSync(process.execPath, [BIN, 'certify', ...args], { encoding: 'utf8', cwd: folder })
}

const rows = Array.from({ length: 1500 }, (_, i) => `0.05,${i % 200 === 0 ? 0 : 1}`)
writeFileSync(join(folder, 'checks.csv'), `probability,right\n${rows.join('\n')}\n`)
writeFileSync(join(folder, 'broken.csv'), 'probability,right\n2,1\n')

describe('pb-oel certify', () => {
  it('prints one JSON document with the agreed fields', () => {
    const { stdout, status } = certify('checks.csv', '--samples', '30000', '--target', '0.99', '--json')
    expect(status).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual([
      'samples',
      'checks',
      'wrong',
      'confidence',
      'certified',
      'target',
      'moreChecks',
    ])
    expect(result).toMatchObject({ samples: 30_000, checks: 1500, wrong: 8, confidence: 0.95, target: 0.99 })
    expect(result.certified).toBeGreaterThan(0.985)
    expect(result.moreChecks).toBeGreaterThan(0)
  })

  it('says it in words', () => {
    const { stdout } = certify('checks.csv', '--samples', '30000', '--target', '0.999')
    expect(stdout).toContain('With 95 % confidence the accuracy over all samples is at least 0.98')
    expect(stdout).toContain('No number of further checks like these certifies 0.999')
  })

  it('wrong input ends with code 2 and one line that says what and where', () => {
    for (const [args, message] of [
      [['broken.csv', '--samples', '10'], 'line 2: probability is "2"'],
      [['none.csv', '--samples', '10'], 'no such file'],
      [['checks.csv', '--samples', '10'], 'samples'],
    ] as const) {
      const { stderr, status } = certify(...args)
      expect(status).toBe(2)
      expect(stderr).toContain(message)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})
