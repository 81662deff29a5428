import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-start-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Ended {
  /** The exit code; `undefined` when it had to be killed because it lived on. */
  code: number | null | undefined
  stdout: string
  stderr: string
}

/** Runs `pb-oel` until it ends by itself, or for so many seconds. */
function cli(args: string[], seconds = 120): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder })
  const ended: Ended = { code: undefined, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (ended.stdout += chunk))
  child.stderr.on('data', (chunk) => (ended.stderr += chunk))
  const patience = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  return new Promise((done) => {
    child.once('close', (code, signal) => {
      clearTimeout(patience)
      done({ ...ended, code: signal === 'SIGKILL' ? undefined : code })
    })
  })
}

/** One TCP server that counts who comes: a port in use, and a broker that must not be touched. */
let visits = 0
const neighbour = createServer((socket) => {
  visits++
  socket.on('error', () => {})
  socket.destroy()
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => neighbour.listen(0, '127.0.0.1', done))
  port = (neighbour.address() as { port: number }).port
})
afterAll(() => new Promise((done) => neighbour.close(done)))

/** Makes a store with one system and a snapshot. */
async function makeStore(name: string): Promise<string> {
  const systems = [{ id: 'plant', channels: ['a', 'b'], levels: ['safe', 'unsafe'], options: { networks: 2 } }]
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ store: name, port: 0, systems, logLevel: 'silent' }))
  const child = spawn(process.execPath, [BIN, 'serve', '--config', `${name}.json`], { cwd: folder })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  while (!stderr.includes('listens on')) await new Promise((done) => child.stderr.once('data', done))
  const url = stderr.match(/listens on (\S+)/)?.[1]
  const values = '{"values":[1,2]}\n'.repeat(5)
  const headers = { 'content-type': 'application/x-ndjson' }
  await (await fetch(`${url}/v1/systems/plant/samples`, { method: 'POST', headers, body: values })).text()
  const ended = new Promise((done) => child.once('close', done))
  child.kill('SIGTERM')
  await ended
  return join(folder, name)
}

/** A failed start: one line that says why, no stack, nothing on stdout, and the process is gone. */
function expectFailure({ code, stdout, stderr }: Ended, message: string): void {
  expect(stderr).toContain(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stdout).toBe('')
  expect([1, 2]).toContain(code)
}

describe('a failed start ends with one line and an exit code', () => {
  it('port in use: neither the broker nor the store is touched', async () => {
    const store = await makeStore('port.db')
    const before = readFileSync(store)
    visits = 0
    const broker = `mqtt://127.0.0.1:${port}`
    const ended = await cli(['serve', '--port', String(port), '--store', store, '--mqtt', broker])
    expectFailure(ended, `port ${port}`)
    expect(ended.stderr).toContain('in use')
    expect(visits).toBe(0)
    expect(readFileSync(store).equals(before)).toBe(true)
    // A store that was not there is not made either.
    await cli(['serve', '--port', String(port), '--store', 'unborn.db'])
    expect(existsSync(join(folder, 'unborn.db'))).toBe(false)
  })

  it('a system whose module is missing: the broker is not touched', async () => {
    const store = await makeStore('modules.db')
    const db = new DatabaseSync(store)
    db.exec(`UPDATE records SET body = replace(body, '"pb-oel-plus"', '"./gone.ts"') WHERE kind = 'created'`)
    db.close()
    visits = 0
    const broker = `mqtt://127.0.0.1:${port}`
    const ended = await cli(['serve', '--port', '0', '--store', store, '--mqtt', broker])
    expectFailure(ended, 'name its modules with --module')
    expect(visits).toBe(0)
  })

  it('an address that is none of a broker', async () => {
    const addresses = ['nonsense', 'http://broker', 'mqtt://', 'mqtt://host:99999', '://']
    const start = (url: string) => cli(['serve', '--port', '0', '--store', 'mqtt.db', '--mqtt', url])
    for (const ended of await Promise.all(addresses.map(start))) expectFailure(ended, 'mqtt')
    expect(existsSync(join(folder, 'mqtt.db'))).toBe(false)
  })

  it('a store that cannot be one', async () => {
    mkdirSync(join(folder, 'a-folder.db'))
    writeFileSync(join(folder, 'a-file'), 'text')
    writeFileSync(join(folder, 'text.db'), 'This is no SQLite file. '.repeat(100))
    const stores = ['a-folder.db', 'a-file/x.db', 'text.db', 'no/such/folder/x.db']
    const ended = await Promise.all(stores.map((store) => cli(['serve', '--port', '0', '--store', store])))
    for (const [i, store] of stores.entries()) expectFailure(ended[i], store)
    expect(readFileSync(join(folder, 'text.db'), 'utf8')).toContain('This is no SQLite file.')
  })

  it('a certificate that is none, and an address that is not this machine', async () => {
    writeFileSync(join(folder, 'bad.pem'), 'no certificate')
    const tls = ['--tls-cert', 'bad.pem', '--tls-key', 'bad.pem']
    expectFailure(await cli(['serve', '--port', '0', '--store', 'tls.db', ...tls]), 'bad.pem')
    expect(existsSync(join(folder, 'tls.db'))).toBe(false)
    expectFailure(await cli(['serve', '--port', '0', '--store', 'tls.db', '--host', '203.0.113.7']), '203.0.113.7')
  })
})

it('a broker that cannot be reached is no failure: the server says so and tries again', async () => {
  const child = spawn(
    process.execPath,
    [BIN, 'serve', '--port', '0', '--store', 'away.db', '--mqtt', 'mqtt://127.0.0.1:1'],
    {
      cwd: folder,
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const complaints = () => output.match(/the broker cannot be reached; trying again/g)?.length ?? 0
  while ((complaints() < 2 || !output.includes('listens on')) && child.exitCode === null)
    await new Promise((done) => child.stdout.once('data', done))
  const url = output.match(/listens on (\S+)/)?.[1]
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
