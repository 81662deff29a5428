// Runs the whole server from seeds, on a simulated clock, disk and network, and looks whether its promises hold.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { thisMachine } from '../packages/lab/src/machine.ts'
import { runCluster } from '../test/simulated/cluster-run.ts'
import { closeProbe, openProbe } from '../test/simulated/disk.ts'
import { type Outcome, runServer } from '../test/simulated/run.ts'
import { findPlanted } from './simulate-planted.ts'

const HELP = `npm run simulate [-- options]   runs the whole server from seeds, and looks whether its promises hold

  --seeds n    so many seeds, from the first on (default 50)
  --seed n     the first seed (default 1); without --seeds only this one, with its story
  --steps n    steps of each (default 120)
  --bail       end with the first seed that fails
  --out file   write what came of it as JSON
  --planted    put errors into a copy of the sources, one at a time; each must make one of 200 seeds fail.
               Words choose the errors whose names contain one of them

Examples: npm run simulate -- --seeds 1000 --out docs/measured/simulation.json
          npm run simulate -- --seed 17
          npm run simulate -- --planted alarm
          npm run simulate -- --planted --out docs/measured/simulated-errors.json`

/** Compiles the journal of the disk, where it has changed. */
function journalLibrary(): string {
  const source = resolve(import.meta.dirname, '../test/simulated/disk-journal.c')
  const library = resolve(import.meta.dirname, '../.cache/simulated/disk-journal.so')
  if (existsSync(library) && statSync(library).mtimeMs > statSync(source).mtimeMs) return library
  mkdirSync(resolve(library, '..'), { recursive: true })
  const { status, error } = spawnSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source], { stdio: 'inherit' })
  if (error || status !== 0) {
    console.error('the simulated disk needs Linux and a C compiler: install gcc')
    process.exit(2)
  }
  return library
}

/** Starts this script again with the journal in front of the C library. */
function startWithJournal(): number {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const root = mkdtempSync(join(base, 'pb-oel-simulated-'))
  try {
    const [folder, journal, control] = ['disk', 'journal', 'control'].map((name) => join(root, name))
    mkdirSync(folder)
    writeFileSync(journal, '')
    writeFileSync(control, '\0')
    const env = { ...process.env, LD_PRELOAD: journalLibrary() }
    const disk = { SIMULATED_DISK: folder, SIMULATED_JOURNAL: journal, SIMULATED_CONTROL: control }
    const args = [...process.execArgv, ...process.argv.slice(1)]
    return spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...env, ...disk } }).status ?? 1
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`--${name}: expected a whole number from 1, got ${text}\n\n${HELP}`)
  process.exit(2)
}

function report({ seed, part, failure, fingerprint }: Outcome, withStory: boolean): void {
  if (withStory) console.log(`fingerprint of the ${part} ${fingerprint}`)
  if (!failure) return
  console.log(`seed ${seed} fails in step ${failure.step} of the ${part}: ${failure.message}`)
  if (withStory) for (const line of failure.story) console.log(`  ${line}`)
  console.log(`again: npm run simulate -- --seed ${seed}`)
}

async function runAll(first: number, seeds: number): Promise<number> {
  const probe = openProbe()
  const start = performance.now()
  const failed: number[] = []
  let ran = 0
  for (let seed = first; seed < first + seeds; seed++) {
    const outcomes = [await runServer(seed, probe, steps), await runCluster(seed, steps)]
    for (const outcome of outcomes) report(outcome, single)
    rmSync(probe.folder, { recursive: true })
    ran++
    const fails = outcomes.some(({ failure }) => failure !== undefined)
    if (fails) failed.push(seed)
    if (fails && values.bail) break
    if (ran % 100 === 0 && ran < seeds) console.log(`${ran} of ${seeds} seeds`)
  }
  closeProbe(probe)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const passed = ran - failed.length
  console.log(`${passed} of ${ran} ${ran === 1 ? 'seed' : 'seeds'} passed in ${seconds} s`)
  if (values.out) {
    const command = ['npm run simulate --', ...process.argv.slice(2)].join(' ')
    const result = { first, steps, seeds: ran, passed, failed, seconds: Number(seconds) }
    writeFileSync(values.out, `${JSON.stringify({ command, ...thisMachine(), ...result }, undefined, 2)}\n`)
  }
  return failed.length === 0 ? 0 : 1
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bail: { type: 'boolean' },
    planted: { type: 'boolean' },
    help: { type: 'boolean' },
    out: { type: 'string' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    steps: { type: 'string' },
  },
})
const single = values.seed !== undefined && values.seeds === undefined
const [first, seeds] = [whole('seed', values.seed, 1), single ? 1 : whole('seeds', values.seeds, 50)]
const steps = whole('steps', values.steps, 120)
if (positionals.length > 0 && !values.planted) {
  console.error(`${positionals[0]}: words go with --planted only\n\n${HELP}`)
  process.exitCode = 2
} else if (values.help) console.log(HELP)
else if (values.planted) process.exitCode = findPlanted(positionals, values.out)
else if (!process.env.SIMULATED_DISK) process.exitCode = startWithJournal()
else process.exitCode = await runAll(first, seeds)
