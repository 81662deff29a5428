// Runs the whole suite again and again while every core is kept busy, as `stress --cpu` does: a test that counts on
// time fails here sooner or later.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { numberArgument } from '../bench/number-argument.ts'
import { thisMachine } from '../packages/lab/src/machine.ts'

const HELP = `npm run under-load [-- options]   runs the whole suite again and again while every core is busy

  --times n    so many runs (default 10)
  --at-once n  so many of them at a time (default 1); more than one run in clones of what is committed
  --busy n     threads that keep the cores busy (default: one for each core)
  --out file   write what came of the runs as JSON, after each of them

Each run is npm test with CI=true: a missing program fails. What it prints is kept in .cache/under-load/.

Examples: npm run under-load -- --out docs/measured/under-load.json
          npm run under-load -- --times 1 --busy 8
          npm run under-load -- --at-once 2`

const LOGS = '.cache/under-load'

/** Runs the suite of `folder` once and keeps what it prints in `log`. */
async function runSuite(folder: string, log: string) {
  const start = performance.now()
  const output = openSync(log, 'w')
  const suite = { cwd: folder, env: { ...process.env, CI: 'true' } }
  await once(spawn('npm', ['test'], { ...suite, stdio: ['ignore', output, output] }), 'exit')
  closeSync(output)
  const seconds = Math.round((performance.now() - start) / 1000)
  const ending = readFileSync(log, 'utf8').match(/^(\d+) passed, (\d+) failed, (\d+) skipped$/m)
  // A suite that ends without its last line has failed, whatever ended it.
  const [passed, failed, skipped] = ending ? ending.slice(1).map(Number) : [0, 1, 0]
  return { passed, failed, skipped, seconds }
}

type Run = Awaited<ReturnType<typeof runSuite>>

/** Copies of what is committed, so that suites do not write into the same folder. */
function makeClones(into: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const clone = join(into, String(i + 1))
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', '.', clone], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`git clone failed: ${stderr}`)
    return clone
  })
}

/** Runs the suite so many times in these folders, one after another in each; tells each run as soon as it has ended. */
async function runAll(folders: readonly string[], times: number, tell: (n: number, run: Run, log: string) => void) {
  let begun = 0
  const runIn = async (folder: string) => {
    while (begun < times) {
      const n = ++begun
      const log = `${LOGS}/${n}.log`
      tell(n, await runSuite(folder, log), log)
    }
  }
  await Promise.all(folders.map(runIn))
}

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '1' },
    busy: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const times = numberArgument(values, 'times')
const atOnce = numberArgument(values, 'at-once')
const busy = numberArgument(values, 'busy', 0)
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
mkdirSync(LOGS, { recursive: true })
const clones = mkdtempSync(join(tmpdir(), 'pb-oel-under-load-'))
const folders = atOnce === 1 ? ['.'] : makeClones(clones, atOnce)
const threads = Array.from({ length: busy }, () => new Worker('for (;;) {}', { eval: true }))
const runs: Run[] = []
await runAll(folders, times, (n, run, log) => {
  runs.push(run)
  const { passed, failed, skipped, seconds } = run
  console.log(`${n} of ${times}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s (${log})`)
  if (values.out === undefined) return
  const result = { command: 'npm run under-load', ...thisMachine(), commit, busy, atOnce, runs }
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`)
})
for (const thread of threads) await thread.terminate()
rmSync(clones, { recursive: true })
process.exitCode = runs.some(({ failed }) => failed > 0) ? 1 : 0
