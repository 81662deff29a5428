// Runs the whole suite again and again while every core is kept busy, as `stress --cpu` does: a test that counts on
// time fails here sooner or later.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { numberArgument } from '../bench/number-argument.ts'
import { thisMachine } from '../packages/lab/src/machine.ts'

const HELP = `npm run under-load [-- options]   runs the whole suite again and again while every core is busy

  --times n   so many runs, one after another (default 10)
  --busy n    threads that keep the cores busy (default: one for each core)
  --out file  write what came of the runs as JSON, after each of them

Each run is npm test with CI=true: a missing program fails. What it prints is kept in .cache/under-load/.

Examples: npm run under-load -- --out docs/measured/under-load.json
          npm run under-load -- --times 1 --busy 8`

const LOGS = '.cache/under-load'

/** Runs the suite once and keeps what it prints in `log`. */
function runSuite(log: string) {
  const start = performance.now()
  const output = openSync(log, 'w')
  spawnSync('npm', ['test'], { env: { ...process.env, CI: 'true' }, stdio: ['ignore', output, output] })
  closeSync(output)
  const seconds = Math.round((performance.now() - start) / 1000)
  const ending = readFileSync(log, 'utf8').match(/^(\d+) passed, (\d+) failed, (\d+) skipped$/m)
  // A suite that ends without its last line has failed, whatever ended it.
  const [passed, failed, skipped] = ending ? ending.slice(1).map(Number) : [0, 1, 0]
  return { passed, failed, skipped, seconds }
}

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
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
const busy = numberArgument(values, 'busy', 0)
mkdirSync(LOGS, { recursive: true })
const threads = Array.from({ length: busy }, () => new Worker('for (;;) {}', { eval: true }))
const runs: ReturnType<typeof runSuite>[] = []
for (let n = 1; n <= times; n++) {
  const log = `${LOGS}/${n}.log`
  const run = runSuite(log)
  runs.push(run)
  const { passed, failed, skipped, seconds } = run
  console.log(`${n} of ${times}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s (${log})`)
  if (values.out === undefined) continue
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  const result = { command: 'npm run under-load', ...thisMachine(), commit, busy, runs }
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`)
}
for (const thread of threads) await thread.terminate()
process.exitCode = runs.some(({ failed }) => failed > 0) ? 1 : 0
