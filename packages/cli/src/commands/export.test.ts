import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@pb-oel/server'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-export-'))
const store = join(folder, 'plant.db')
const boat = { id: 'boat', channels: ['depth'], levels: ['safe', 'unsafe'], options: { experts: 3 } }
const server = await serve({ store, port: 0, logLevel: 'silent', systems: [boat] })
await server.recovered
for (let i = 0; i < 5; i++) {
  const { assessment } = await server.service.sample('boat', { values: [i], at: i * 1000 }, 'test')
  if (i % 2) await server.service.feedback('boat', { assessment, kind: 'label', level: 'unsafe' }, 'eva')
}
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const run = (...words: string[]) => runCli(folder, 'export', ...words)

describe('pb-oel export', () => {
  it('writes the samples with their true levels from a store', async () => {
    const { status, stdout } = await run('boat', '--store', store)
    expect(status).toBe(0)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'time,depth,level',
      '1970-01-01T00:00:00.000Z,0,',
      '1970-01-01T00:00:01.000Z,1,unsafe',
    ])
  })

  it('writes the same file from a server', async () => {
    const out = join(folder, 'boat.csv')
    const { status, stderr } = await run('boat', '--url', server.url, '--out', out)
    expect([status, stderr]).toEqual([0, `${out}: ${readFileSync(out).length} bytes\n`])
    expect(readFileSync(out, 'utf8')).toBe((await run('boat', '--store', store)).stdout)
    expect(existsSync(`${out}.part`)).toBe(false)
  })

  it('says what is wrong in one line and ends with 2', async () => {
    const wrong: [string[], string][] = [
      [['boat'], '--store, --url: expected one of the two'],
      [['none', '--store', store], 'there is no system none'],
      [['none', '--url', server.url], 'there is no system none'],
      [['boat', '--store', join(folder, 'none.db')], 'no such file'],
      [['boat', '--url', 'http://127.0.0.1:1'], 'cannot be reached'],
      [['boat', '--store', store, '--from', '2026-02-30T00:00:00Z'], 'there is no moment'],
      [['boat', '--store', store, '--out', join(folder, 'none', 'x.csv')], 'no such file or directory'],
    ]
    for (const [args, message] of wrong) {
      const { status, stderr } = await run(...args)
      expect([args, status]).toEqual([args, 2])
      expect(stderr).toContain(message)
    }
  })
})
