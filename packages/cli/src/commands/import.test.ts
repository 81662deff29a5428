import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@pb-oel/server'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-import-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cli = (...words: string[]) => runCli(folder, ...words)

const start = Date.parse('2026-01-01T00:00:00Z')
/** Two channels, two levels; every seventh row has no label. */
function history(rows: number): string {
  const lines = Array.from({ length: rows }, (_, t) => {
    const unsafe = Math.floor(t / 40) % 2
    const label = t % 7 === 6 ? '' : unsafe ? 'unsafe' : 'safe'
    return `${new Date(start + 1000 * t).toISOString()},${Math.sin(t) + 3 * unsafe},${Math.cos(t * t)},${label}`
  })
  return `when,a,b,state\n${lines.join('\n')}\n`
}
writeFileSync(join(folder, 'h.csv'), history(1_500))
const words = ['--system', 'pump', '--time', 'when', '--levels', 'safe,unsafe', '--json']
const whole = await cli('import', 'h.csv', ...words, '--store', 'whole.db')
const [replayed] = JSON.parse((await cli('replay', 'whole.db', '--json')).stdout).systems

describe('pb-oel import into a store', () => {
  it('writes samples at their times and labels as answers; replay finds the same state', async () => {
    const report = JSON.parse(whole.stdout)
    expect(report).toMatchObject({ created: true, rows: 1_500, resumedAt: 0, imported: 1_500, labels: 1_286 })
    expect(replayed).toMatchObject({ assessments: 1_500, stateHash: report.stateHash })
    const state = JSON.parse((await cli('replay', 'whole.db', '--at', '60', '--json')).stdout).systems[0].state
    expect(state.time).toBeGreaterThan(start)
    expect(state.time).toBeLessThan(start + 30_000)
    expect(state.counts.labels).toBeGreaterThan(10)
  })

  it('changes nothing the second time', async () => {
    const again = JSON.parse((await cli('import', 'h.csv', ...words, '--store', 'whole.db')).stdout)
    const { stateHash } = JSON.parse(whole.stdout)
    expect(again).toMatchObject({ created: false, imported: 0, resumedAt: 1_500, stateHash })
  })

  it('goes on after a kill, and ends in the same state', async () => {
    // On a busy machine a kill may come when all rows are there: the next try has a store of its own.
    let store = ''
    let report = { created: true, imported: 0, stateHash: '' }
    for (let attempt = 0; report.imported === 0 && attempt < 8; attempt++) {
      store = `killed-${attempt}.db`
      const run = ['import', 'h.csv', ...words, '--store', store]
      const child = spawn(process.execPath, [BIN, ...run], { cwd: folder })
      const timer = setInterval(() => written(store) > 1e5 && child.kill('SIGKILL'), 1)
      await once(child, 'close')
      clearInterval(timer)
      report = JSON.parse((await cli(...run)).stdout)
    }
    expect(report.created).toBe(false)
    expect(report.imported).toBeGreaterThan(0)
    expect(report.stateHash).toBe(JSON.parse(whole.stdout).stateHash)
    const [chain] = JSON.parse((await cli('replay', store, '--json')).stdout).systems
    expect(chain).toEqual(replayed)
  })

  it('refuses labels that are not levels and leaves the store as it was', async () => {
    const before = readFileSync(join(folder, 'whole.db'))
    const { status, stderr } = await cli('import', 'h.csv', ...words, '--store', 'whole.db', '--levels', 'safe,worse')
    expect([status, stderr]).toEqual([2, expect.stringContaining('the label "unsafe" is not one of safe, worse')])
    expect(readFileSync(join(folder, 'whole.db')).equals(before)).toBe(true)
  })

  it('wants times, from a column or from --start and --every', async () => {
    writeFileSync(join(folder, 'plain.csv'), 'a,l\n1,0\n2,1\n')
    const { stderr, status } = await cli('import', 'plain.csv', '--system', 'p', '--store', 'p.db')
    expect([status, stderr]).toEqual([2, expect.stringContaining('--start and --every')])
    const started = await cli(
      'import',
      'plain.csv',
      '--system',
      'p',
      '--store',
      'p.db',
      '--start',
      '2026-01-01',
      '--every',
      '2',
    )
    expect(started.stdout).toContain('p (new): 2 rows with 2 labels')
    // The second row is two seconds after the first.
    expect((await cli('export', 'p', '--store', 'p.db')).stdout).toBe(
      'time,a,level\n2026-01-01T00:00:00.000Z,1,0\n2026-01-01T00:00:02.000Z,2,1\n',
    )
  })
})

describe('export and import', () => {
  it('are each other’s inverse', async () => {
    await cli('export', 'pump', '--store', 'whole.db', '--out', 'first.csv')
    const taken = await cli('import', 'first.csv', ...words, '--time', 'time', '--store', 'second.db')
    expect(JSON.parse(taken.stdout)).toMatchObject({ rows: 1_500, labels: 1_286 })
    await cli('export', 'pump', '--store', 'second.db', '--out', 'second.csv')
    const [first, second] = ['first.csv', 'second.csv'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(first.split('\n').length).toBeGreaterThan(1_500)
    expect(second).toBe(first)
  })
})

describe('pb-oel import into a running server', () => {
  it('makes the system, and writes no row twice', async () => {
    const server = await serve({ port: 0, store: join(folder, 'server.db'), logLevel: 'silent' })
    try {
      writeFileSync(join(folder, 'short.csv'), history(60))
      for (const created of [true, false]) {
        const { stdout } = await cli('import', 'short.csv', ...words, '--url', server.url)
        expect(JSON.parse(stdout)).toMatchObject({ created, rows: 60 })
        const system = await (await fetch(`${server.url}/v1/systems/pump`)).json()
        expect(system).toMatchObject({ counts: { samples: 60, labels: 52 } })
      }
    } finally {
      await server.stop()
    }
  })
})

/** Bytes of a store. */
function written(store: string): number {
  return ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(join(folder, `${store}${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
