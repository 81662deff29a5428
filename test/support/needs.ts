import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * What tests need of the machine, looked for in one place. Each is the path of a program, or `undefined` where it is
 * missing. A test that needs it is skipped then and its title ends in "(needs …)"; scripts/skips.ts judges the skips.
 */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
/** The same without a window around the page, where it is installed: quicker, but it shows no notifications. */
export const CHROMIUM_SHELL = ['/usr/bin/chromium-headless-shell'].find(existsSync) ?? CHROMIUM
/** Any nats-server, for what needs no promise of it. */
export const ANY_NATS_SERVER = find('nats-server')
/** One that workers do not refuse: from 2.11 on. */
export const NATS_SERVER = ANY_NATS_SERVER && isRecent(ANY_NATS_SERVER) ? ANY_NATS_SERVER : undefined
export const MOSQUITTO = find('mosquitto')
export const OPENSSL = find('openssl')
export const CURL = find('curl')
/** The simulated disk stands between a process and the C library of Linux. */
export const GCC = process.platform === 'linux' ? find('gcc') : undefined
/** Python with the packages of python/pyproject.toml, as the set-up installs them. */
export const PYTHON = [
  resolve(import.meta.dirname, '../../.cache/python/bin/python'),
  resolve(import.meta.dirname, '../../.cache/python/Scripts/python.exe'),
].find(existsSync)

function isRecent(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = stdout.match(/v(\d+)\.(\d+)/)?.map(Number) ?? []
  return major > 2 || (major === 2 && minor >= 11)
}

/** What the set-up built comes first. Debian puts servers into a folder that is not on every PATH. */
function find(program: string): string | undefined {
  const built = resolve(import.meta.dirname, '../../.cache/bin', program)
  if (existsSync(built)) return built
  const script = 'command -v "$1" || ls "/usr/sbin/$1"'
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', program], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().split('\n')[0] : undefined
}
