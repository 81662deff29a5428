import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CURL } from '../../../test/support/needs.ts'
import { readConfig } from './config.ts'
import { LIMITS } from './http/limits.ts'
import { temporaryFolder } from './testing/folder.ts'
import { localServer } from './testing/local-server.ts'

const ROOT = join(import.meta.dirname, '../../..')
const page = ['server', 'api', 'alarms', 'connect']
  .map((name) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'))
  .join('\n')

/** Fenced blocks in order, with the word behind the fence. */
const blocks = [...page.matchAll(/^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language, mark, text]) => ({
  language,
  mark: mark.trim(),
  text,
}))

/** The shape of a JSON value: names and types, not values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shape(entry)]))
}

async function run(script: string): Promise<{ code: number | null; output: string }> {
  // Where little of the environment is left, bash takes a pipe of Node for a network and reads its start-up files.
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script])
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

describe('docs/server.md, docs/api.md, docs/alarms.md and docs/connect.md', () => {
  it.skipIf(!CURL)('every curl example works and answers in the shape that is shown (needs curl)', async () => {
    const server = await localServer({ systems: [] })
    const shell = blocks.filter(({ language }) => language === 'sh')
    expect(shell.length).toBeGreaterThan(8)
    for (const [i, { language, text }] of blocks.entries()) {
      if (language !== 'sh') continue
      const { code, output } = await run(text.replaceAll('http://127.0.0.1:8400', server.url))
      expect(`${text}\n→ ${code} ${code === 0 ? '' : output}`).toBe(`${text}\n→ 0 `)
      const shown = blocks[i + 1]
      if (shown?.language === 'json' && shown.mark === '')
        expect(shape(JSON.parse(output))).toEqual(shape(JSON.parse(shown.text)))
    }
  })

  it('its configuration file is a valid one', () => {
    const config = blocks.find(({ mark }) => mark === 'config')?.text ?? ''
    const file = join(temporaryFolder(), 'server.json')
    writeFileSync(file, config)
    expect(readConfig(file)).toEqual(JSON.parse(config))
    expect(JSON.parse(config).limits, 'what it shows of limits is what holds without it').toEqual(LIMITS)
    writeFileSync(file, config.replace('"port"', '"prot"'))
    expect(() => readConfig(file)).toThrow('prot: unexpected property')
    writeFileSync(file, config.replace('8400', '"8400"'))
    expect(() => readConfig(file)).toThrow('port: expected integer')
  })
})

describe('deploy', () => {
  it('the dashboard asks only for figures the server has', async () => {
    const server = await localServer({ mqtt: undefined })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const dashboard = readFileSync(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8')
    const asked = new Set(
      [...dashboard.matchAll(/\b(pb_oel_\w+|process_\w+)/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
    )
    expect(asked.size).toBeGreaterThan(10)
    for (const name of asked) expect(known).toContain(name)
  })
})
