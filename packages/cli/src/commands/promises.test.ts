import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-promises-'))
afterAll(() => rmSync(folder, { recursive: true }))

function promises(...args: string[]) {
  return spawnSync(process.execPath, [BIN, 'promises', ...args], { encoding: 'utf8' })
}

describe('pb-oel promises', () => {
  it('prints one JSON document with a row for each setting, the command, the machine and the date', () => {
    const { stdout, stderr, status } = promises('dive:samples=300', '--repeats', '1', '--json')
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

  it('gives each run a stream of its own, and refuses that where the stream has no seed to vary', () => {
    const accuracies = (...more: string[]) =>
      [1, 2].map((seed) => {
        const args = ['--repeats', '1', '--seed', String(seed), '--settings', 'at-once', '--json', ...more]
        const { stream, streamSeeds, rows } = JSON.parse(promises('dive:samples=200', ...args).stdout)
        expect([stream, streamSeeds]).toEqual(['dive:samples=200', more.length > 0])
        return rows[0].accuracy
      })
    const [one, two] = accuracies('--stream-seeds')
    expect(two).not.toBe(accuracies()[1])
    expect(one).toBe(accuracies()[0])
    const { stderr, status } = promises('dive:samples=200,seed=3', '--stream-seeds', '--settings', 'at-once')
    expect([status, stderr]).toEqual([2, expect.stringContaining('whose address names no seed')])
  })

  it('says which promise does not apply, and why', () => {
    const { stdout } = promises('dive:samples=200', '--repeats', '1', '--settings', 'wrong-untold,unasked')
    expect(stdout).toContain('the certificate does not apply to "nobody asked, only right ones answered": nobody was')
    expect(stdout).toContain(
      'the bound of the regret does not apply to "a twentieth wrong, nobody said so": answers are',
    )
    expect(stdout).not.toContain('at once')
  })

  it('writes a report with the curves, the same on any number of threads', () => {
    const report = (name: string, workers: string) => {
      const out = join(folder, name)
      const args = ['--repeats', '2', '--settings', 'at-once,checked-5', '--workers', workers, '--out', out]
      expect(promises('dive:samples=300', ...args).status).toBe(0)
      for (const file of ['accuracy', 'regret', 'misses', 'reliability']) {
        expect(existsSync(join(out, `promises-${file}-dive-samples-300.png`))).toBe(true)
      }
      return readFileSync(join(out, 'report.html'), 'utf8')
    }
    const one = report('one', '1')
    expect(one).toContain('Promises on dive:samples=300')
    expect(report('two', '2')).toBe(one)
  })

  it('refuses an unknown setting and lists the known ones', () => {
    const { stderr, status } = promises('dive:samples=300', '--settings', 'late-3')
    expect(status).toBe(2)
    expect(stderr).toMatch(/late-3.*late-20/)
  })
})
