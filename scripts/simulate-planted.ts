// Puts each error of test/simulated/planted.ts into a copy of the sources and wants a seed to fail.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { thisMachine } from '../packages/lab/src/machine.ts'
import { SIMULATED_ERRORS, type SimulatedError } from '../test/simulated/planted.ts'
import { copySources, plant } from './source-copy.ts'

/** Seeds within which each error must be found. */
const SEEDS = 200

/** An error, and the first seed that found it; `null` where none did. */
interface Found {
  readonly name: string
  readonly seed: number | null
  /** What the seed said, or why there is none. */
  readonly message: string
}

/** Tries every error whose name contains one of the words, or all; returns the exit code. */
export function findPlanted(words: readonly string[], out: string | undefined): number {
  const chosen = SIMULATED_ERRORS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0) {
    const names = SIMULATED_ERRORS.map(({ name }) => name).join(', ')
    console.error(`no planted error is about ${words.join(' or ')}; there are: ${names}`)
    return 2
  }
  const folder = copySources()
  const errors: Found[] = []
  try {
    for (const error of chosen) {
      const one = find(folder, error)
      errors.push(one)
      console.log(`${one.seed === null ? 'NOT FOUND' : 'found    '} ${one.name}: ${one.message}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const found = errors.filter(({ seed }) => seed !== null).length
  console.log(`${found} of ${chosen.length} planted errors were found within ${SEEDS} seeds`)
  if (out) {
    const command = ['npm run simulate --', ...process.argv.slice(2)].join(' ')
    writeFileSync(out, `${JSON.stringify({ command, ...thisMachine(), seeds: SEEDS, errors }, undefined, 2)}\n`)
  }
  return found === chosen.length ? 0 : 1
}

/** Runs the simulation with the error in the copy. */
function find(folder: string, { name, edits }: SimulatedError): Found {
  const restore = plant(folder, edits)
  if (typeof restore === 'string') return { name, seed: null, message: restore }
  const line = firstFailure(folder) ?? `${SEEDS} seeds pass`
  restore()
  const seed = line.match(/^seed (\d+) /)
  return { name, seed: seed && Number(seed[1]), message: line }
}

/** What the first seed that fails says. */
function firstFailure(folder: string): string | undefined {
  const { SIMULATED_DISK: _, LD_PRELOAD: __, ...env } = process.env
  const args = ['scripts/simulate.ts', '--seeds', String(SEEDS), '--bail']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  const lines = `${stdout}${stderr}`.split('\n')
  return lines.find((line) => line.startsWith('seed ')) ?? lines.find((line) => /error/i.test(line))
}
