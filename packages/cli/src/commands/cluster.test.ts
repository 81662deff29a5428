import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATS_SERVER } from '../../../../test/support/needs.ts'
import { cli as runCli } from '../testing/cli.ts'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-cluster-'))
const cli = (...words: string[]) => runCli(folder, ...words)

describe.skipIf(!NATS_SERVER)('pb-oel over NATS (needs nats-server 2.11)', () => {
  let nats: ChildProcess
  let url = ''

  beforeAll(async () => {
    const listener = createServer()
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    const { port } = listener.address() as { port: number }
    await new Promise((done) => listener.close(done))
    url = `nats://127.0.0.1:${port}`
    const args = ['-js', '-a', '127.0.0.1', '-p', `${port}`, '-sd', join(folder, 'nats')]
    nats = spawn(NATS_SERVER as string, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    await new Promise<void>((ready) =>
      nats.stderr?.on('data', (chunk) => `${chunk}`.includes('Server is ready') && ready()),
    )
  })
  afterAll(async () => {
    const ended = new Promise((done) => nats.once('exit', done))
    nats.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  it('serves, replays beside the running worker, copies to a file and back, and shows the same state everywhere', async () => {
    const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--nats', url, '--shards', '4'], {
      cwd: folder,
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.stdout.resume()
    const ended = new Promise((done) => child.once('exit', done))
    while (!stderr.includes('listens on')) await setTimeout(20)
    const base = `${stderr.match(/listens on (\S+)/)?.[1]}/v1/systems`
    const post = async (path: string, body: object) => {
      for (;;) {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        if (response.status < 500) return response
        await setTimeout(100)
      }
    }
    await post('', { id: 'boat', channels: ['depth', 'oxygen'], levels: ['safe', 'unsafe'] })
    for (let i = 0; i < 30; i++) await post('/boat/samples', { values: [i, 20 - i / 10] })
    await post('/boat/feedback', { assessment: 3, kind: 'confirm' })
    await post('/boat/compact', { keep: 10 })
    await post('/boat/feedback', { assessment: 4, kind: 'reject' })
    const { stateHash } = await (await fetch(`${base}/boat/state`)).json()

    const beside = JSON.parse((await cli('replay', url, '--json')).stdout)
    expect(beside.systems).toMatchObject([{ system: 'boat', stateHash }])
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect((await cli('copy', url, 'backup.db')).stdout).toContain('boat: ')
    expect((await cli('copy', 'backup.db', url, '--cluster', 'second', '--shards', '2')).status).toBe(0)
    const file = JSON.parse((await cli('replay', 'backup.db', '--json')).stdout)
    const copy = JSON.parse((await cli('replay', url, '--cluster', 'second', '--json')).stdout)
    expect(copy).toEqual(file)
    expect(file.systems[0].difference).toBeUndefined()
    expect((await cli('copy', 'backup.db', url, '--cluster', 'second')).stderr).toContain('boat already')
  })

  it('refuses wrong input with one line and exit code 2', async () => {
    const wrong: [string[], string][] = [
      [['serve', '--port', '0', '--nats', 'nats://127.0.0.1:1'], 'no NATS server can be reached'],
      [['serve', '--port', '0', '--nats', 'http://a'], 'is no address of a NATS server'],
      [['serve', '--port', '0', '--shards', '4'], 'left out where there is no --nats'],
      [['serve', '--port', '0', '--nats', url, '--shards', '5'], '4 shards'],
      [['replay', url, '--cluster', 'none'], 'none'],
      [['work', '--nats', 'nats://127.0.0.1:1'], 'no NATS server can be reached'],
      [['reproduce', '--quick', '--workers', '0'], '--workers'],
    ]
    for (const [args, text] of wrong) {
      const { status, stderr } = await cli(...args)
      expect([args, status, stderr.includes(text)]).toEqual([args, 2, true])
    }
  })
})
