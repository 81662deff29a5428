import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-serve-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cli = (...words: string[]) => runCli(folder, ...words)
/** Runs a command that reads lines, as a process. */
const piped = (args: string[], input: string) =>
  spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', cwd: folder, input })

/** A server of the command line, and how to stop it. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', ...args], { cwd: folder })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdout.resume()
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  while (!stderr.includes('listens on') && child.exitCode === null) await setTimeout(20)
  const url = stderr.match(/listens on (\S+)/)?.[1] as string
  const stop = async () => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, stop }
}

describe('pb-oel serve', () => {
  it('simulates a dive, stops properly, and its store replays without a difference', async () => {
    const server = await start('--simulate', 'dive', '--speed', '300', '--store', 'dive.db')
    const dive = async () => (await fetch(`${server.url}/v1/systems/dive`)).json()
    while ((await dive()).samples < 60) await setTimeout(50)
    const patch = (path: string, body: string) =>
      fetch(`${server.url}/v1/${path}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })
    const changed = await patch('simulation', '{"speed":0}')
    expect(await changed.json()).toMatchObject({ system: 'dive', speed: 0 })
    const { samples, counts } = await dive()
    expect(counts.confirms + counts.rejects + counts.labels).toBeGreaterThan(samples / 2)

    // Beside the running server:
    const beside = JSON.parse((await cli('replay', 'dive.db', '--json')).stdout)
    expect(beside.systems).toMatchObject([{ system: 'dive', from: 1, assessments: samples }])
    const { to, stateHash } = beside.systems[0]
    expect((await (await fetch(`${server.url}/v1/systems/dive/state?at=${to}`)).json()).stateHash).toBe(stateHash)
    expect(await server.stop()).toBe(0)

    const { status, stdout } = await cli('replay', 'dive.db')
    expect(stdout).toContain(`chain intact, ${samples} assessments the same`)
    expect(status).toBe(0)
    const past = JSON.parse((await cli('replay', 'dive.db', '--at', '20', '--json')).stdout)
    expect(past.systems[0]).toMatchObject({ to: 20 })
    expect(past.systems[0].state.counts.samples).toBeLessThan(samples)
    const same = JSON.parse(
      (await cli('replay', 'dive.db', '--what-if', 'pb-oel-plus', '--set', 'pending=4096', '--json')).stdout,
    )
    expect(same.systems[0]).toMatchObject({ samples, agreement: samples, undecided: 0 })
    const other = await cli('replay', 'dive.db', '--what-if', 'majority')
    expect(other.stdout).toContain('dive with majority')
  })

  it('makes tokens in a store that nobody serves, and then asks for them', async () => {
    const made = await cli('serve', '--store', 'closed.db', '--new-token', 'admin', '--name', 'alice')
    expect(made.stdout).toMatch(/^pboel_[0-9a-f]{12}_[\w-]{43}\n$/)
    const server = await start('--store', 'closed.db')
    expect((await fetch(`${server.url}/v1/systems`)).status).toBe(401)
    const headers = { authorization: `Bearer ${made.stdout.trim()}` }
    expect((await fetch(`${server.url}/v1/systems`, { headers })).status).toBe(200)
    expect(await (await fetch(`${server.url}/v1/me`, { headers })).json()).toMatchObject({
      name: 'alice',
      roles: ['admin'],
    })
    const { tokens } = await (await fetch(`${server.url}/v1/tokens`, { headers })).json()
    const late = await cli('serve', '--store', 'closed.db', '--new-token', 'viewer', '--name', 'bob')
    expect([late.status, late.stdout]).toEqual([2, ''])
    expect(late.stderr).toContain('in use by process')
    expect((await (await fetch(`${server.url}/v1/tokens`, { headers })).json()).tokens).toEqual(tokens)
    await server.stop()
  })

  it.each([
    [['serve', '--port', '0', '--store', 'no/such/folder/x.db'], 'no/such/folder/x.db'],
    [['serve', '--port', '0', '--config', 'bad.json'], 'bad.json: prot: unexpected property'],
    [['serve', '--port', '0', '--host', '0.0.0.0', '--store', 'open.db'], 'has no tokens'],
    [['serve', '--store', 'first.db', '--new-token', 'viewer'], 'first token must be an admin'],
    [['replay', 'none.db'], 'none.db: no such file'],
    [['replay', 'bad.json'], 'bad.json is not a store'],
    [['assess', '--levels', '1'], '--levels'],
  ])('%j ends with exit code 2 and says why', async (args, message) => {
    writeFileSync(join(folder, 'bad.json'), '{ "prot": 1 }')
    const { status, stderr, stdout } = await cli(...args)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })
})

describe('pb-oel assess', () => {
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('answers samples and feedback line by line, the same way every time', () => {
    const input =
      '{"values":{"a":1,"b":2}}\n{"assessment":0,"kind":"label","level":1}\n{"values":[3,4]}\n{"values":[3]}\n'
    const { stdout, status } = piped(['assess', '--levels', 'safe,odd,unsafe', '--seed', '4'], input)
    expect(status).toBe(0)
    const answers = lines(stdout)
    expect(answers.map(({ assessment, learned, status }) => learned ?? status ?? assessment)).toEqual([0, true, 1, 422])
    expect(answers[0].levelName).toMatch(/safe|odd|unsafe/)
    const again = lines(piped(['assess', '--levels', 'safe,odd,unsafe', '--seed', '4'], input).stdout)
    expect(again[2].probabilities).toEqual(answers[2].probabilities)
  })

  it('holds missing channels when told to', () => {
    const input = '{"values":{"a":1,"b":2}}\n{"values":{"a":5}}\n'
    expect(lines(piped(['assess', '--levels', '2', '--missing', 'hold'], input).stdout)[1].degraded).toEqual(['b'])
  })

  it('learns with --rho as pb-oel run does: the same accuracy to the last bit', async () => {
    const csv = (await cli('data', 'export', 'dive:samples=400')).stdout.trim().split('\n').slice(1)
    const rows = csv.map((line) => line.split(',').map(Number))
    const samples = rows.map((row) => ({ x: row.slice(0, -1), level: row.at(-1) as number }))
    const first = [0, 1, 2].flatMap((level) => samples.find((sample) => sample.level === level) ?? [])
    const warmUp = join(folder, 'first.json')
    // In the order of the stream, as the lab takes them.
    writeFileSync(warmUp, JSON.stringify(first.sort((a, b) => samples.indexOf(a) - samples.indexOf(b))))
    const input = samples.flatMap(({ x, level }, i) => [{ values: x }, { assessment: i, kind: 'label', level }])
    const words = [
      'assess',
      '--method',
      'pb-oel',
      '--levels',
      '3',
      '--rho',
      '0.1',
      '--horizon',
      '400',
      '--warm-up',
      warmUp,
    ]
    const answers = lines(piped(words, input.map((line) => JSON.stringify(line)).join('\n')).stdout)
    const right = samples.filter(({ level }, i) => answers[2 * i].level === level).length
    const { runs } = JSON.parse((await cli('run', 'dive:samples=400', '--rho', '0.1', '--json')).stdout)
    expect(right / samples.length).toBe(runs[0].accuracy)
  })

  it('says what is wrong with the words of a simulated run', async () => {
    const alone = await cli('assess', '--levels', '2', '--horizon', '5')
    expect([alone.status, alone.stderr]).toEqual([2, 'error: --horizon: expected --rho beside it\n'])
    const missing = await cli('assess', '--levels', '2', '--rho', '1', '--warm-up', 'none.json')
    expect(missing.status).toBe(2)
    expect(missing.stderr).toContain('none.json')
    const input = '{"values":[1]}\n{"assessment":0,"kind":"confirm"}\n'
    expect(lines(piped(['assess', '--levels', '2', '--rho', '1'], input).stdout)[1]).toMatchObject({ status: 400 })
  })
})

it('every command has help with examples', async () => {
  for (const command of ['serve', 'replay', 'assess']) {
    const { stdout, status } = await cli(command, '--help')
    expect([command, status]).toEqual([command, 0])
    expect(stdout).toContain('Examples:')
  }
})
