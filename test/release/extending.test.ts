import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** A project outside the repository that holds the files of docs/extending and the packed packages. */
const project = mkdtempSync(join(tmpdir(), 'pb-oel-outsider-'))
afterAll(() => rmSync(project, { recursive: true }))

/** The code blocks of docs/extending that begin with the name of a file. */
function files(): Map<string, string> {
  const found = new Map<string, string>()
  for (const page of globSync('docs/extending/*.md', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    for (const [, name, code] of text.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)^```$/gm)) found.set(name, code)
  }
  return found
}

/** Puts every packed package into the project; what they depend on is that of the clone. */
function install(): void {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@pb-oel'), { recursive: true })
  const pack = [join(ROOT, 'scripts/pack.ts'), join(project, 'tarballs')]
  const packed = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim().split('\n')
  for (const [name, tarball] of packed.map((line) => line.split(' '))) {
    mkdirSync(join(modules, name), { recursive: true })
    execFileSync('tar', ['xzf', tarball, '-C', join(modules, name), '--strip-components=1'])
  }
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !/^\.|^(@pb-oel|pb-oel|node)$/.test(name),
  )) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
}

beforeAll(() => {
  install()
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
  for (const [name, code] of files()) writeFileSync(join(project, name), code)
})

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
const COMMAND = 'node_modules/pb-oel/bin/pb-oel.js'
const MODULES = ['--module', './parrot.ts', '--module', './streak.ts', '--module', './centroids.ts']
const command = (...args: string[]) => node(COMMAND, ...args)

it('the docs show an assessor, a detector, a learner and a stream, each with its laws', () => {
  const names = [...files().keys()]
  for (const name of ['parrot', 'streak', 'centroids', 'waves']) {
    expect(names).toContain(`${name}.ts`)
    expect(names).toContain(`${name}.test.ts`)
  }
})

it('an outsider’s parts keep the laws, run by Node’s own test runner on the packed core', () => {
  const { stdout, status } = node('--test', '--test-reporter=tap')
  expect(stdout).toMatch(/^# pass (1[5-9]|2\d)$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(status).toBe(0)
})

it('an outsider’s assessor is restored from its snapshot, and its detector with it', () => {
  expect(node('restore.ts')).toMatchObject({ stdout: '2\n', stderr: '', status: 0 })
  expect(node('watched.ts')).toMatchObject({ stdout: '3\n', stderr: '', status: 0 })
})

it('an outsider’s parts have the right types', () => {
  const options = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})

it('`pb-oel table` and `pb-oel run` take an outsider’s parts by their paths', () => {
  const compared = ['--methods', 'pb-oel,./parrot.ts', '--rho', '0.5', '--repeats', '1', '--json']
  const table = command('table', './waves.ts:samples=300', ...compared)
  expect(table.stderr).not.toMatch(/error/i)
  expect(JSON.parse(table.stdout).rows.map(({ method }: { method: string }) => method)).toEqual(['pb-oel', 'parrot'])
  const run = (...options: string[]) => command('run', './waves.ts:samples=300', '--json', ...options)
  const accuracy = ({ stdout }: ReturnType<typeof run>) => JSON.parse(stdout).mean
  expect(accuracy(run('--set', 'detector=./streak.ts'))).toBeGreaterThan(0.3)
  expect(accuracy(run('--set', 'members=[{"kind":"./centroids.ts"}]', '--set', 'networks=2'))).toBeGreaterThan(0.3)
  expect(run('--method', './missing.ts')).toMatchObject({ status: 2, stdout: '' })
})

/** Starts the server of the packed packages and calls `use` with its address; then stops it. */
async function serving<T>(modules: string[], use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--store', 'plant.db', '--port', '0', ...modules], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for await (const chunk of child.stderr) {
    said += chunk
    const [, url] = said.match(/listens on (\S+)/) ?? []
    if (url === undefined) continue
    child.stderr.resume()
    try {
      // It listens before every system is there again.
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
      return await use(url)
    } finally {
      child.kill()
      await ended
    }
  }
  throw new Error(said)
}

const post = async (url: string, path: string, body: object) => {
  const reply = await fetch(`${url}/v1/systems${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

/** Hash of the state of each system: now, or after the records that are named. */
async function stateHashes(url: string, systems: { id: string }[], after: (number | undefined)[] = []) {
  return Promise.all(
    systems.map(async ({ id }, i) => {
      const at = after[i] === undefined ? '' : `?at=${after[i]}`
      const reply = await fetch(`${url}/v1/systems/${id}/state${at}`)
      const { system, stateHash } = (await reply.json()) as { system: { sequence: number }; stateHash: string }
      return { sequence: system.sequence, stateHash }
    }),
  )
}

it('`pb-oel serve --module` runs an outsider’s parts, goes on after a restart, and replays them', async () => {
  const plant = { channels: ['a', 'b'], levels: ['safe', 'odd', 'unsafe'] }
  const systems = [
    { id: 'parrot', ...plant, method: './parrot.ts', options: { memory: 5 } },
    {
      id: 'watched',
      ...plant,
      options: { networks: 2, detector: './streak.ts', members: [{ kind: './centroids.ts' }] },
    },
  ]
  const before = await serving(MODULES, async (url) => {
    for (const { id, ...rest } of systems) {
      expect((await post(url, '', { id, ...rest })).status).toBe(201)
      for (let i = 0; i < 30; i++) {
        const { body } = await post(url, `/${id}/samples`, { values: [i % 3, (i % 5) / 2] })
        await post(url, `/${id}/feedback`, { assessment: body.assessment, kind: 'label', level: i % 3 })
      }
    }
    // A path that the server was not started with is refused: no request makes it load code.
    expect((await post(url, '', { id: 'waves', ...plant, method: './waves.ts' })).status).toBe(422)
    return stateHashes(url, systems)
  })
  const places = before.map(({ sequence }) => sequence)
  const [now, then] = await serving(MODULES, async (url) => [
    await stateHashes(url, systems),
    // One after the other: the server replays for one request at a time.
    [...(await stateHashes(url, [systems[0]], [places[0]])), ...(await stateHashes(url, [systems[1]], [places[1]]))],
  ])
  expect(then).toEqual(before)
  const { stdout, status } = command('replay', 'plant.db', '--json', ...MODULES)
  expect(JSON.parse(stdout).systems).toMatchObject(now.map(({ stateHash }) => ({ stateHash })))
  expect(status).toBe(0)
  await expect(serving([], async () => {})).rejects.toThrow('name its modules with --module')
})

it('`pb-oel serve --simulate` streams an outsider’s stream in', async () => {
  await serving([...MODULES, '--simulate', './waves.ts:samples=50', '--speed', '500'], (url) =>
    expect
      .poll(
        async () => {
          const reply = await fetch(`${url}/v1/systems/waves`)
          // More than the stream has: it began anew.
          return reply.ok && ((await reply.json()) as { samples: number }).samples
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(120),
  )
})
