// Makes a clone ready: installs the pinned packages and builds the web page when they have changed since the last time
// and, with --test, installs the system programs that tests use, where this machine allows it. Runs on any Node that
// npm runs on.
import { execSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const stamp = 'node_modules/.setup'
const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('installing packages …')
  execSync('npm ci --no-audit --no-fund --loglevel=error', { stdio: 'inherit' })
  writeFileSync(stamp, wanted)
}
execSync('npm run build -w @pb-oel/web --silent', { stdio: ['ignore', 'ignore', 'inherit'] })

/** Programs that tests use; each is a Debian package too. */
const PROGRAMS = ['chromium', 'mosquitto', 'nats-server', 'openssl', 'curl']

/** The NATS server of the tests. Debian 12 has 2.9.10, which loses acknowledged messages when servers fail often. */
const NATS = { version: 'v2.15.2', module: 'github.com/nats-io/nats-server/v2', folder: '.cache/bin' }

const has = (program) => spawnSync('sh', ['-c', `command -v ${program} || ls /usr/sbin/${program}`]).status === 0

/** Builds the NATS server where Go is present; vitest.config.ts puts its folder in front of the PATH. */
function buildNats() {
  const program = `${NATS.folder}/nats-server`
  const { stdout = '' } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (stdout?.includes(NATS.version)) return
  console.log(`building nats-server ${NATS.version} for the tests …`)
  const env = { ...process.env, GOBIN: resolve(NATS.folder) }
  const { status } = spawnSync('go', ['install', `${NATS.module}@${NATS.version}`], { env, stdio: 'ignore' })
  if (status !== 0) console.log(`nats-server ${NATS.version} could not be built; tests use the one that is installed`)
}

/** Installs system programs with apt-get, where this machine allows it. */
function installPrograms(programs) {
  const packages = programs.join(' ')
  console.log(`installing ${packages} for the tests …`)
  const install = `apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ${packages}`
  spawnSync('sh', ['-c', install], { stdio: ['ignore', 'ignore', 'inherit'] })
}

if (process.argv.includes('--test')) {
  if (has('go')) buildNats()
  const missing = () => PROGRAMS.filter((program) => !has(program) && !existsSync(`${NATS.folder}/${program}`))
  if (missing().length > 0 && process.getuid?.() === 0 && has('apt-get')) installPrograms(missing())
  const still = missing().join(', ')
  if (still !== '' && (process.env.CI === 'true' || process.env.PB_OEL_STRICT === '1')) {
    console.error(`strict: tests need ${still}; install them, or run without CI=true and PB_OEL_STRICT=1 to skip them`)
    process.exit(1)
  }
}
