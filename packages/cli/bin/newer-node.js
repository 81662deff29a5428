// Runs the command on a Node that is new enough, where the one that started it is too old: the `node` package beside
// this one, as the clone has it, or else a copy that npm fetches once and keeps in its cache.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The oldest Node that runs the command: the first with SQLite and everything else that the server uses. */
export const NEEDED = 24

/** Runs `args` on a newer Node, and ends as it ends. */
export function onNewerNode(args) {
  const node = besideThis() ?? fetched()
  if (node === undefined) {
    console.error(
      `pb-oel needs Node ${NEEDED} or newer, this is ${process.version}, and npm could not fetch one: ` +
        `install Node ${NEEDED} from https://nodejs.org and run the command again.`,
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, args, { stdio: 'inherit' })
  // A service manager ends this process; its child must end well, too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal]
  })
}

/** The Node of the `node` package that is installed in the same folder as this package. */
function besideThis() {
  // On Windows bin/node is an empty file.
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = fileURLToPath(new URL(`../../../node_modules/node/${program}`, import.meta.url))
  return existsSync(path) ? path : undefined
}

/** The Node that npm fetches for this machine. */
function fetched() {
  console.error(`pb-oel needs Node ${NEEDED} and this is ${process.version}: npm fetches it once, about 60 MB …`)
  const windows = process.platform === 'win32'
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${windows ? 'win' : process.platform}-${process.arch}@${NEEDED}`
  // npm is a script on Windows, which only a shell starts.
  const { status, stdout } = spawnSync(
    'npm',
    ['exec', '--yes', '--loglevel=error', `--package=${name}`, '--', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: windows },
  )
  const path = stdout?.trim()
  return status === 0 && existsSync(path) ? path : undefined
}
