import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newFolder, outsideEnv, ROOT, run } from './testing/outside.ts'

/** What `npm start` and `npm test` say where something is missing, in a clone that has nothing installed yet. */
const { folder, remove } = newFolder('Klon')
/** A user who may not write everywhere: root, who may, becomes nobody. */
const NOBODY = 65_534
const root = process.getuid?.() === 0
const become = root ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
const canBecome = process.platform !== 'win32' && (!root || spawnSync('setpriv', ['--version']).status === 0)

/** A clone with the scripts and the set-up of this one. One package is enough to be missing. */
function clone(name: string): string {
  const place = join(folder, name)
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const dependencies = { commander: '14.0.0' }
  const packages = { '': { dependencies }, 'node_modules/commander': { version: '14.0.0' } }
  cpSync(join(ROOT, 'scripts/setup.mjs'), join(place, 'scripts/setup.mjs'))
  writeFileSync(join(place, 'package.json'), JSON.stringify({ scripts, dependencies }))
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  if (root) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(folder, '..')])
  return place
}

/** An environment without a network: nobody listens at the address of the registry. */
const offline = (home: string) =>
  outsideEnv({
    HOME: home,
    npm_config_cache: undefined,
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  })

/** The last line that a command writes, and its exit code. */
function ending(words: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const [program, ...args] = [...become, ...words]
  const { status, stderr } = run(program, args, cwd, env)
  return { status, last: stderr.trim().split('\n').at(-1) }
}

const FETCH =
  'The packages could not be fetched: connect to the network, or tell npm its proxy, and run the command again.'

it.skipIf(!canBecome).each(['start', 'test'])(
  'npm %s without a network, and with a home that cannot be written, ends in what to do (needs setpriv, or no root)',
  (script) => {
    onTestFinished(remove)
    const place = clone(script)
    const home = join(folder, 'home')
    mkdirSync(home)
    if (root) chownSync(home, 0, 0)
    chmodSync(home, 0o555)
    onTestFinished(() => chmodSync(home, 0o755))
    expect(ending(['npm', script], place, offline(home))).toEqual({ status: 1, last: FETCH })
    // npm keeps its cache in the clone then; where that failed, the home would be what is wrong.
    expect(existsSync(join(place, '.cache/npm'))).toBe(true)
  },
)

it.skipIf(!canBecome)(
  'npm start in a folder that cannot be written says where to clone (needs setpriv, or no root)',
  () => {
    onTestFinished(remove)
    const place = clone('fremd')
    if (root) chownSync(place, 0, 0)
    chmodSync(place, 0o555)
    onTestFinished(() => chmodSync(place, 0o755))
    const last =
      'This folder cannot be written: clone the repository to a folder of your own and run the command again.'
    expect(ending(['npm', 'start'], place, offline(folder))).toEqual({ status: 1, last })
  },
)

it('npm start installs all packages where npm test has', () => {
  onTestFinished(remove)
  const place = clone('entwickelt')
  mkdirSync(join(place, 'node_modules/vitest'), { recursive: true })
  const { stdout } = run('node', ['scripts/setup.mjs'], place, offline(folder))
  expect(stdout).toContain('installing packages …')
})

it('npm start with its port taken says so in one line, and what to do', async () => {
  const other = createServer()
  await new Promise<void>((listens) => other.listen(0, '127.0.0.1', listens))
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const { start } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
  const [command, ...args] = start.split(' ')
  expect(command).toBe('pb-oel')
  const { folder, remove } = newFolder('Hafen')
  onTestFinished(remove)
  writeFileSync(join(folder, 'package.json'), '{}')
  const main = join(ROOT, 'packages/cli/src/main.ts')
  const { status, stderr } = run(process.execPath, [main, ...args, '--port', String(port)], folder)
  expect(stderr).toBe(`error: port ${port} of 127.0.0.1 is in use: stop the other program or choose another port\n`)
  expect(status).toBe(2)
})
