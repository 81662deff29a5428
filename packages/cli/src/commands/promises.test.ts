import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-promises-'))
afterAll(() => rmSync(folder, { recursive: true }))

const promises = (...words: string[]) => runCli(folder, 'promises', ...words)

describe('pb-oel promises', () => {
  it('prints one JSON document with a row for each setting, the command, the machine and the date', async () => {
    const { stdout, stderr, status } = await promises('dive:samples=300', '--repeats', '1', '--json')
    expect(status).toBe(0)
    const { rows, method, command, machine } = JSON.parse(stdout)
    expect(method).toBe('pb-oel-plus')
    expect(command).toBe('pb-oel promises dive:samples=300 --repeats 1 --json')
    expect(machine).toMatchObject({ node: process.version, date: expect.stringMatching(/^\d{4}-/) })
    expect(rows).toHaveLength(22)
    for (const { regretViolations, certificateViolations } of rows) {
      expect([regretViolations, certificateViolations]).toEqual([0, 0])
    }
    expect(stderr).toContain('at once: 1 run, accuracy')
  })

  it('gives each run a stream of its own, and refuses that where the stream has no seed to vary', async () => {
    const accuracy = async (seed: string, ...more: string[]) => {
      const args = ['--repeats', '1', '--seed', seed, '--settings', 'at-once', '--json', ...more]
      const { stream, streamSeeds, rows } = JSON.parse((await promises('dive:samples=200', ...args)).stdout)
      expect([stream, streamSeeds]).toEqual(['dive:samples=200', more.length > 0])
      return rows[0].accuracy
    }
    expect(await accuracy('1', '--stream-seeds')).toBe(await accuracy('1'))
    expect(await accuracy('2', '--stream-seeds')).not.toBe(await accuracy('2'))
    const { stderr, status } = await promises('dive:samples=200,seed=3', '--stream-seeds', '--settings', 'at-once')
    expect([status, stderr]).toEqual([2, expect.stringContaining('whose address names no seed')])
  })

  it('says which promise does not apply, and why', async () => {
    const { stdout } = await promises('dive:samples=200', '--repeats', '1', '--settings', 'wrong-untold,unasked')
    expect(stdout).toContain('the certificate does not apply to "nobody asked, only right ones answered": nobody was')
    expect(stdout).toContain(
      'the bound of the regret does not apply to "a twentieth wrong, nobody said so": answers are',
    )
    expect(stdout).not.toContain('at once')
  })

  it('writes a report with the curves, the same on any number of threads', async () => {
    const report = async (name: string, workers: string) => {
      const out = join(folder, name)
      const args = ['--repeats', '2', '--settings', 'at-once,checked-5', '--workers', workers, '--out', out]
      expect((await promises('dive:samples=300', ...args)).status).toBe(0)
      for (const file of ['accuracy', 'regret', 'misses', 'reliability']) {
        expect(existsSync(join(out, `promises-${file}-dive-samples-300.png`))).toBe(true)
      }
      return readFileSync(join(out, 'report.html'), 'utf8')
    }
    const one = await report('one', '1')
    expect(one).toContain('Promises on dive:samples=300')
    expect(await report('two', '2')).toBe(one)
  })

  it('refuses an unknown setting and lists the known ones', async () => {
    const { stderr, status } = await promises('dive:samples=300', '--settings', 'late-3')
    expect(status).toBe(2)
    expect(stderr).toMatch(/late-3.*late-20/)
  })
})
