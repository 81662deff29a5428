import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAN_INSTALL, newFolder, outsideEnv, ROOT, ran, started } from '../testing/outside.ts'

/** Another user than root, without a home: nobody. Root alone can become another user. */
const NOBODY = 65_534
const become = spawnSync('setpriv', ['--version']).status === 0 && process.getuid?.() === 0

const name = 'a clone in a path with spaces and umlauts, of a user without root and with an empty home'
describe.skipIf(!CAN_INSTALL || !become)(`${name} (needs a registry of packages, and root to become that user)`, () => {
  const { folder, remove } = newFolder('Reinraum')
  const clone = join(folder, 'pb oel')
  const home = join(folder, 'heim')
  const env = outsideEnv({ HOME: home, npm_config_cache: undefined, CI: undefined, XDG_CACHE_HOME: undefined })
  const as = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']

  beforeAll(() => {
    ran('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], folder)
    mkdirSync(home)
    for (const path of [folder, join(folder, '..')]) chownSync(path, NOBODY, NOBODY)
    ran('chown', ['-R', `${NOBODY}:${NOBODY}`, clone, home], folder)
  })
  afterAll(remove)

  it('npm start installs what the service needs and serves the dashboard', async () => {
    const begin = performance.now()
    const server = started('setpriv', [...as, 'npm', 'start', '--', '--port', '0'], clone, env)
    const url = await server.says(/listens on (http\S+)/)
    const seconds = (performance.now() - begin) / 1000
    console.log(`npm start of a fresh clone: ${seconds.toFixed(0)} s until it listens`)
    expect(await (await fetch(url)).text()).toContain('<title>pb-oel')
    expect(readdirSync(join(clone, 'node_modules'))).not.toContain('binaryen')
    server.end('SIGTERM')
    await server.ended
  })

  // An empty home has nothing built with Go yet, which takes minutes.
  it('npm test installs the rest and runs tests', { timeout: 1_500_000 }, async () => {
    const tests = started('setpriv', [...as, 'npm', 'test', '--', 'test/checks.test.ts'], clone, env)
    expect(await tests.says(/(\d+) passed, 0 failed/)).not.toBe('0')
    expect(await tests.ended).toBe(0)
  })
})
