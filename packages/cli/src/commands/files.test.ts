import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

function cli(args: string[], input?: string | Uint8Array) {
  const env = { ...process.env, TMPDIR: folder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, input })
  return { stdout: String(stdout), stderr: String(stderr), status }
}

const rows = Array.from(
  { length: 60 },
  (_, t) => `2026-01-01T00:00:${String(t).padStart(2, '0')}Z,me,${t},${t % 3 ? 'bad' : 'ok'}`,
)
const table = `when,who,a,state\n${rows.join('\n')}\n`
const columns = ['--time', 'when', '--drop', 'who']

describe('a stream from standard input', () => {
  it.each<[string, string | Uint8Array]>([
    ['CSV', table],
    ['packed CSV', gzipSync(table)],
    ['UTF-16', Buffer.from(`\ufeff${table}`, 'utf16le')],
    [
      'NDJSON',
      rows
        .map((row) =>
          JSON.stringify(Object.fromEntries(row.split(',').map((cell, i) => [['when', 'who', 'a', 'state'][i], cell]))),
        )
        .join('\n'),
    ],
  ])('may be %s', (_, input) => {
    const { stdout, status } = cli(['data', 'info', '-', ...columns, '--sort', '--json'], input)
    expect(status).toBe(0)
    const info = JSON.parse(stdout)
    expect(info).toMatchObject({
      samples: 60,
      levels: [
        { name: 'ok', count: 20 },
        { name: 'bad', count: 40 },
      ],
    })
    expect(info.time).toMatchObject({ interval: 1000, gaps: 0 })
    // The copy is gone.
    expect(readdirSync(folder).filter((name) => name.startsWith('pb-oel-'))).toEqual([])
  })

  it('can be run on threads, and says so when it is empty', () => {
    const { stdout, status } = cli(
      ['table', '-', ...columns, '--methods', 'majority', '--rho', '1', '--json', '--store', 'results'],
      table,
    )
    expect(status).toBe(0)
    expect(JSON.parse(stdout).rows[0].method).toBe('majority')
    const empty = cli(['run', '-'], '')
    expect([empty.status, empty.stderr]).toEqual([2, 'error: standard input: it is empty; expected a table\n'])
  })
})

describe('labels that are text', () => {
  it('cause a warning with their order, once, unless --levels says it', () => {
    writeFileSync(join(folder, 'p.csv'), table)
    const run = (...more: string[]) =>
      cli(['run', 'p.csv', ...columns, '--method', 'no-change', '--rho', '1', '--repeats', '2', '--json', ...more])
    const warned = run()
    expect(warned.status).toBe(0)
    expect(warned.stderr.match(/ordered by the order of their first appearance: ok < bad, safest first/g)).toHaveLength(
      1,
    )
    const told = run('--levels', 'bad,ok')
    expect([told.status, told.stderr]).toEqual([0, ''])
    // What was a miss is a false alarm in the other order.
    const [a, b] = [warned, told].map(({ stdout }) => JSON.parse(stdout).runs[0])
    expect([b.misses, b.falseAlarms]).toEqual([a.falseAlarms, a.misses])
    expect(a.misses + a.falseAlarms).toBeGreaterThan(0)
  })

  it('are refused where --levels does not know them', () => {
    const { stderr, status } = cli(['run', 'p.csv', ...columns, '--levels', 'ok,worse'])
    expect([status, stderr]).toEqual([2, 'error: p.csv: line 3: the label "bad" is not one of ok, worse\n'])
  })
})
