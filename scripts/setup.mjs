// Makes a clone ready: installs the pinned packages and builds the web page when they have changed since the last time
// and, with --test, installs the system programs that tests use, where this machine allows it. Runs on any Node that
// npm runs on.
import { execSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Program → Debian package. A test whose program is missing is skipped and says so. */
const PROGRAMS = { chromium: 'chromium', mosquitto: 'mosquitto', 'nats-server': 'nats-server' }

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

if (process.argv.includes('--test')) {
  const missing = Object.keys(PROGRAMS).filter((program) => !has(program))
  if (missing.length > 0 && process.getuid?.() === 0 && has('apt-get')) {
    const packages = missing.map((program) => PROGRAMS[program]).join(' ')
    console.log(`installing ${packages} for the tests …`)
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
    spawnSync(
      'sh',
      ['-c', `apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ${packages}`],
      quiet,
    )
  }
}
