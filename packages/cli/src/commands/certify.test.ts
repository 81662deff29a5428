import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-certify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const certify = (...words: string[]) => runCli(folder, 'certify', ...words)

const rows = Array.from({ length: 1500 }, (_, i) => `0.05,${i % 200 === 0 ? 0 : 1}`)
writeFileSync(join(folder, 'checks.csv'), `probability,right\n${rows.join('\n')}\n`)
writeFileSync(join(folder, 'broken.csv'), 'probability,right\n2,1\n')

describe('pb-oel certify', () => {
  it('prints one JSON document with the agreed fields', async () => {
    const { stdout, status } = await certify('checks.csv', '--samples', '30000', '--target', '0.99', '--json')
    expect(status).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual([
      'schemaVersion',
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

  it('says it in words', async () => {
    const { stdout } = await certify('checks.csv', '--samples', '30000', '--target', '0.999')
    expect(stdout).toContain('With 95 % confidence the accuracy over all samples is at least 0.98')
    expect(stdout).toContain('No number of further checks like these certifies 0.999')
  })

  it('never says more than is certified, and says so where a target is reached', async () => {
    writeFileSync(join(folder, 'three.csv'), 'probability,right\n1,1\n1,0\n1,1\n')
    const args = ['three.csv', '--samples', '3', '--target', '0.6', '--confidence', '0.99']
    const { stdout } = await certify(...args)
    // Every sample was checked: two thirds, rounded down.
    expect(stdout.trim().split('\n')).toEqual([
      '3 of 3 samples were checked, 1 of the checks found a mistake.',
      'With 99 % confidence the accuracy over all samples is at least 0.6666.',
      'The target of 0.6 is certified.',
    ])
    expect(JSON.parse((await certify(...args, '--json')).stdout)).toMatchObject({ confidence: 0.99, moreChecks: 0 })
  })

  it('certifies every system of a store from its log', async () => {
    const { serve } = await import('@pb-oel/server')
    const store = join(folder, 'plant.db')
    const system = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority' }
    const systems = ['boat', 'tank'].map((id) => ({ id, ...system }))
    const server = await serve({ store, port: 0, logLevel: 'silent', systems })
    for (let i = 0; i < 50; i++) {
      const { assessment } = await server.service.sample('boat', { values: [1] }, 'test')
      if (i < 45) await server.service.feedback('boat', { assessment, kind: 'confirm' }, 'test')
    }
    const wanted = ['--target', '0.95', '--json']
    const expected = { samples: 50, checks: 50, wrong: 5, confidence: 0.95, certified: 0.9, target: 0.95 }
    // Beside the running server, and after it.
    expect(JSON.parse((await certify('plant.db', ...wanted)).stdout)).toEqual({
      schemaVersion: 1,
      systems: [
        { system: 'boat', ...expected, moreChecks: null },
        {
          system: 'tank',
          samples: 0,
          checks: 0,
          wrong: 0,
          confidence: 0.95,
          certified: 0,
          target: 0.95,
          moreChecks: null,
        },
      ],
    })
    await server.stop()
    const { stdout, status } = await certify('plant.db', '--system', 'boat', '--confidence', '0.99')
    expect(status).toBe(0)
    expect(stdout).toContain('boat: 50 of 50 samples were checked')
    expect(stdout).toContain('With 99 % confidence')
    for (const [args, message] of [
      [['plant.db', '--system', 'ship'], 'there is no system ship'],
      [['plant.db', '--samples', '10'], 'samples'],
      [['checks.csv'], '--samples is missing'],
      [['checks.csv', '--samples', '30000', '--system', 'boat'], 'system'],
    ] as const) {
      const refused = await certify(...args)
      expect([args, refused.status]).toEqual([args, 2])
      expect(refused.stderr).toContain(message)
      expect(refused.stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('wrong input ends with code 2 and one line that says what and where', async () => {
    for (const [args, message] of [
      [['broken.csv', '--samples', '10'], 'line 2: probability is "2"'],
      [['none.csv', '--samples', '10'], 'no such file'],
      [['checks.csv', '--samples', '10'], 'samples'],
    ] as const) {
      const { stderr, status } = await certify(...args)
      expect(status).toBe(2)
      expect(stderr).toContain(message)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})
