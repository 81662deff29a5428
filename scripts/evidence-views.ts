// Passages of docs/evidence.md: what the tests would notice, as mutation tests, planted errors, the simulation and runs
// under load have stored it.
import { FOLDERS } from '../test/mutation/folders.ts'
import { markdownRow, markdownTable } from './figure-table.ts'

/** What `npm run mutate` keeps of a folder. */
interface StoredScore
  extends Readonly<Record<'killed' | 'timeout' | 'survived' | 'noCoverage' | 'equivalent', number>> {
  readonly date: string
}

/** How many changes of each folder were noticed. Scores of single files are left out. */
export function mutationScores(stored: Readonly<Record<string, StoredScore>>): string {
  const lines = Object.entries(FOLDERS).map(([word, { mutate }]) => {
    const { killed, timeout, survived, noCoverage, equivalent, date } = stored[word]
    const noticed = killed + timeout
    return markdownRow([mutate, noticed, survived + noCoverage, equivalent, date])
  })
  return markdownTable(['folder', 'noticed', 'not noticed', 'change nothing', 'date'], lines)
}

/** What `npm run planted -- --out` stores. */
interface StoredPlanted {
  readonly date: string
  readonly planted: number
  readonly unnoticed: readonly string[]
}

export function plantedErrors({ date, planted, unnoticed }: StoredPlanted): string {
  const rest = unnoticed.length === 0 ? '' : ` Not noticed: ${unnoticed.join(', ')}.`
  return `${planted - unnoticed.length} of ${planted} planted errors were noticed (${day(date)}).${rest}`
}

/** What `npm run simulate -- --planted --out` stores. */
interface StoredSimulated {
  readonly seeds: number
  readonly errors: readonly { readonly name: string; readonly seed: number | null }[]
}

/** The first seed that finds each error. */
export function simulatedErrors({ seeds, errors }: StoredSimulated): string {
  const lines = errors.map(({ name, seed }) => markdownRow([name, seed ?? `not in ${seeds}`]))
  return markdownTable(['error', 'found by seed'], lines)
}

/** What `npm run simulate -- --out` stores. */
interface StoredSeeds {
  readonly date: string
  readonly seeds: number
  readonly passed: number
}

export function seedsPassed({ date, seeds, passed }: StoredSeeds): string {
  return `${passed.toLocaleString('en')} of ${seeds.toLocaleString('en')} seeds passed (${day(date)}).`
}

/** What `npm run under-load -- --out` stores. */
interface StoredRuns {
  readonly date: string
  readonly cores: number
  readonly busy: number
  readonly atOnce: number
  readonly runs: readonly Readonly<Record<'passed' | 'failed' | 'skipped' | 'seconds', number>>[]
}

/** Every run of the whole suite on a busy machine. */
export function runsUnderLoad({ date, cores, busy, atOnce, runs }: StoredRuns): string {
  const suites = atOnce === 1 ? 'one suite' : `${atOnce} suites`
  const load = `${cores} cores, ${busy} busy threads, ${suites} at a time`
  const lines = runs.map(({ passed, failed, skipped, seconds }, i) =>
    markdownRow([i + 1, passed, failed, skipped, seconds]),
  )
  return `${load} (${day(date)}):\n\n${markdownTable(['run', 'passed', 'failed', 'skipped', 'seconds'], lines)}`
}

/** The day of a date and time. */
const day = (date: string) => date.slice(0, 10)
