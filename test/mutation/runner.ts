// A test runner for StrykerJS that stays in one process: a mutant costs the tests that reach it and no more. Sources
// are loaded once, with all their mutants in them; a switch says which one is active. Only test files load anew.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configureGlobal } from 'fast-check'

const CONFIGURATION = {
  setupFiles: [],
  // What waits for something that a mutant keeps from happening has failed. On a machine too busy for this, the same
  // test fails without the mutant too, and the mutant is tried again.
  testTimeout: 8_000,
  hookTimeout: 8_000,
  maxConcurrency: 1,
  passWithNoTests: true,
  allowOnly: true,
  retry: 0,
  tags: [],
  includeTaskLocation: false,
  sequence: { shuffle: false, concurrent: false, seed: 1, hooks: 'stack', setupFiles: 'list' },
  expect: { poll: { timeout: 5_000 } },
  snapshotOptions: {},
}
/** What the mutated sources look at (the instrumenter's name for it). */
interface Switch {
  activeMutant?: string
  currentTestId?: string
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { perTest: Record<string, unknown> }
}

interface TestResult {
  id: string
  name: string
  fileName: string
  timeSpentMs: number
  status: 0 | 1
  failureMessage: string
}

interface MutantRun {
  testFilter?: string[]
  hitLimit?: number
  activeMutant: { id: string; fileName: string }
}

interface Task {
  name: string
  suite?: Task
  file: { filepath: string }
  mode: string
  result?: { state?: string; errors?: { message: string }[] }
}

/** Tests that take more processor time than this, in milliseconds, are left out: they would be run too often. */
const SLOW = Number(process.env.PB_OEL_MUTATE_SLOW)

/** Milliseconds that a thread may wait for another. */
const LONGEST_WAIT = 5_000

const mutants: Switch = {}
const errors: unknown[] = []

/** The name of a test with those of the suites around it. */
const nameOf = ({ name, suite }: Task): string => (suite === undefined ? name : `${nameOf(suite)} ${name}`).trim()
const idOf = (test: Task) => `${test.file.filepath}#${nameOf(test)}`
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

let loads = 0

/** Runs the tests of one file, all or those with `names`, up to the first failure where `bail`. */
async function runFile(file: string, bail: boolean, names?: readonly string[]): Promise<TestResult[]> {
  const results: TestResult[] = []
  const testNamePattern = names && new RegExp(`^(?:${names.map(escaped).join('|')})$`)
  let failed = false
  let began = process.cpuUsage()
  errors.length = 0
  const { startTests } = await import('vitest/internal/browser')
  await startTests([file], {
    config: { ...CONFIGURATION, root: process.cwd(), testNamePattern },
    importFile: (path: string) => import(`${pathToFileURL(path).href}?load=${loads++}`),
    onBeforeRunTask: (test: Task) => {
      if (bail && failed) test.mode = 'skip'
    },
    onBeforeTryTask: (test: Task) => {
      mutants.currentTestId = idOf(test)
      began = process.cpuUsage()
    },
    onAfterRunTask: (test: Task) => {
      mutants.currentTestId = undefined
      const { state, errors: [error] = [] } = test.result ?? {}
      const { user, system } = process.cpuUsage(began)
      if (state !== 'pass' && state !== 'fail') return
      failed ||= state === 'fail'
      results.push(resultOf(test, (user + system) / 1000, state === 'fail' ? (error?.message ?? 'failed') : undefined))
    },
    onCollected: (files: Task[]) => collect(files, results),
    onAfterRunSuite: (suite: Task) => {
      if (suite.result?.state === 'fail' && suite.result.errors?.length) collect([suite], results)
    },
  } as never)
  await new Promise((done) => setImmediate(done))
  if (errors.length > 0 && results.length > 0) {
    results[results.length - 1] = { ...results[results.length - 1], status: 1, failureMessage: String(errors[0]) }
  }
  return results
}

/** Takes files and suites that failed by themselves, outside of any test, as failed tests. */
function collect(tasks: readonly Task[], results: TestResult[]): void {
  for (const task of tasks) {
    if (task.result?.state !== 'fail') continue
    results.push(resultOf(task, 0, task.result.errors?.[0]?.message ?? 'cannot be loaded'))
  }
}

function resultOf(test: Task, timeSpentMs: number, failure: string | undefined): TestResult {
  const status = failure === undefined ? 0 : 1
  const fileName = test.file.filepath
  return { id: idOf(test), name: nameOf(test), fileName, timeSpentMs, status, failureMessage: failure ?? '' }
}

/** A wait for another thread that no other thread ends is an error after some seconds: nothing could interrupt it. */
function boundWaits(): void {
  const wait = Atomics.wait as (array: Int32Array, index: number, value: number, milliseconds: number) => string
  Atomics.wait = ((array: Int32Array, index: number, value: number) => {
    const outcome = wait(array, index, value, LONGEST_WAIT)
    if (outcome === 'timed-out') throw new Error('no other thread has ended a wait')
    return outcome
  }) as typeof Atomics.wait
}

/** The runner as StrykerJS calls it. */
class InProcessRunner {
  private runs = 0
  private spoilt = false
  /** The file whose test has noticed the latest mutant: it mostly notices the next one too, and is tried first. */
  private noticed = ''

  capabilities() {
    return { reloadEnvironment: false }
  }

  init() {
    // Vitest looks for the first when a test file imports it, the mutated sources for the second.
    const worker = { config: CONFIGURATION, environment: {}, rpc: {}, onCleanup() {} }
    Object.assign(globalThis, { __vitest_worker__: worker, __stryker__: mutants })
    process.on('uncaughtException', (error) => errors.push(error))
    process.on('unhandledRejection', (error) => errors.push(error))
    // A mutant is noticed by the first counterexample. The smallest one is not looked for.
    configureGlobal({ endOnFailure: true })
    boundWaits()
    return Promise.resolve()
  }

  async dryRun() {
    const patterns = (process.env.PB_OEL_MUTATE_TESTS ?? '').split('\n')
    const exclude = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
    const files = globSync(
      patterns.filter((one) => !one.startsWith('!')),
      { exclude },
    ).sort()
    const all: TestResult[] = []
    for (const file of files) all.push(...(await runFile(resolve(file), false)))
    const tests = all.filter(({ timeSpentMs }) => timeSpentMs <= SLOW)
    for (const { id } of all) if (tests.every((test) => test.id !== id)) delete mutants.mutantCoverage?.perTest[id]
    return { status: 'complete', tests, mutantCoverage: mutants.mutantCoverage }
  }

  async mutantRun({ testFilter = [], hitLimit: hundredfold, activeMutant }: MutantRun) {
    if (this.spoilt) throw new Error('an earlier mutant has left its mark on this process')
    this.runs++
    // Code that runs ten times as often as without a mutant is endless; StrykerJS waits for a hundred times.
    const hitLimit = hundredfold === undefined ? undefined : Math.ceil(hundredfold / 10)
    const byFile = Map.groupBy(testFilter, (id) => id.slice(0, id.indexOf('#')))
    let nrOfTests = 0
    // The tests of the file itself are the quickest to notice, and often keep others from an endless wait.
    const own = activeMutant.fileName.slice(activeMutant.fileName.lastIndexOf('/packages/')).replace(/ts$/, 'test.ts')
    const rank = ([file]: [string, string[]]) => (file.endsWith(own) ? 2 : Number(file === this.noticed))
    for (const [file, ids] of [...byFile].sort((a, b) => rank(b) - rank(a))) {
      const names = ids.map((id) => id.slice(id.indexOf('#') + 1))
      Object.assign(mutants, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
      const results = await runFile(file, true, names)
      const endless = hitLimit !== undefined && (mutants.hitCount ?? 0) > hitLimit
      Object.assign(mutants, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
      nrOfTests += results.length
      const failed = results.find(({ status }) => status === 1)
      if (failed === undefined && !endless) continue
      this.noticed = file
      await this.lookForMarks(file, failed?.name ?? names[0])
      if (endless) return { status: 'timeout', reason: 'hit limit' }
      return { status: 'killed', killedBy: [failed?.id], failureMessage: failed?.failureMessage, nrOfTests }
    }
    return { status: 'survived', nrOfTests }
  }

  /**
   * Runs the test that failed once more, without the mutant. If it still fails, some mutant has left its mark: the
   * mutant at hand is tried again in a new process, or the next one begins in one.
   */
  private async lookForMarks(file: string, name: string): Promise<void> {
    const again = await runFile(file, true, [name])
    if (again.every(({ status }) => status === 0)) return
    this.spoilt = true
    if (this.runs > 1) throw new Error('a mutant has left its mark on this process')
  }
}

function createRunner() {
  return new InProcessRunner()
}
createRunner.inject = [] as const

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }]
