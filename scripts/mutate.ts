// Changes the code a little, many times, and counts how many of the changes a test notices (mutation testing,
// StrykerJS).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { EQUIVALENTS } from '../test/mutation/equivalents.ts'
import { FOLDERS, type MutatedFolder } from '../test/mutation/folders.ts'

const HELP = `npm run mutate [-- folder …]   mutation score of each folder, of all without a name

  --all         run every mutant again; without it only what changed since the last run
  --workers n   mutants at a time (default: 1)

Folders: ${Object.keys(FOLDERS).join(', ')}
Scores are kept in ${'docs/measured/mutation.json'}, reports in .cache/mutation/<folder>.html.
Survivors are killed by a test, or listed in test/mutation/equivalents.ts with the reason why they change nothing.

Example: npm run mutate -- drift metrics`

const SCORES = 'docs/measured/mutation.json'
const REPORTS = '.cache/mutation'

/** What became of the mutants of a folder; `score` is a share of those that are not equivalent, in percent. */
interface Score {
  score: number
  killed: number
  timeout: number
  survived: number
  noCoverage: number
  equivalent: number
  /** Not run: they change what happens once, when a file loads, such as an option table. */
  static: number
  date: string
  machine: string
}

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** Runs the mutants of one folder against its tests. */
function run(name: string, { mutate, tests }: MutatedFolder, all: boolean, workers: number): Promise<Result[]> {
  process.env.PB_OEL_MUTATE_TESTS = tests.join(',')
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    mutate: [`${mutate}/**/*.ts`, '!**/*.test.ts', '!**/testing/**', '!**/assembly/**', '!**/*.wasm.ts'],
    // Texts are for people. Where a word decides something, the comparison around it is mutated.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency: workers,
    incremental: true,
    force: all,
    incrementalFile: `${REPORTS}/${name}.incremental.json`,
    tempDirName: '.cache/stryker',
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: `${REPORTS}/${name}.html` },
    jsonReporter: { fileName: `${REPORTS}/${name}.json` },
    ignorePatterns: ['**/dist', '.cache', 'docs/images'],
    disableTypeChecks: false,
  } as ConstructorParameters<typeof Stryker>[0])
  return stryker.runMutationTest()
}

/** The line of the source that a mutant begins on. */
function lineOf({ fileName, location }: Result): string {
  return readFileSync(fileName, 'utf8').split('\n')[location.start.line - 1].trim()
}

const isEquivalent = (result: Result) =>
  EQUIVALENTS.find(
    ({ file, line, replacement }) =>
      file === relative('.', result.fileName) && line === lineOf(result) && replacement === result.replacement,
  )

/** Counts, and prints what survived. */
function judge(name: string, results: readonly Result[], { mutate }: MutatedFolder): Score {
  const count = (status: string) => results.filter((result) => result.status === status).length
  const alive = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const excused = alive.map(isEquivalent)
  const survivors = alive.filter((_, i) => excused[i] === undefined)
  for (const survivor of survivors) {
    const { line, column } = survivor.location.start
    const at = `${relative('.', survivor.fileName)}:${line}:${column}`
    console.log(
      `${at} ${survivor.status} ${survivor.mutatorName}\n  - ${lineOf(survivor)}\n  + ${survivor.replacement}`,
    )
  }
  for (const entry of EQUIVALENTS) {
    if (!entry.file.startsWith(`${mutate}/`) || excused.includes(entry)) continue
    console.log(`test/mutation/equivalents.ts: no survivor is ${entry.file}: ${entry.line} → ${entry.replacement}`)
  }
  const [killed, timeout] = [count('Killed'), count('Timeout')]
  const score = Math.round((1000 * (killed + timeout)) / (killed + timeout + survivors.length)) / 10
  console.log(`${name}: ${score} %, ${survivors.length} survived of ${killed + timeout + survivors.length}`)
  return {
    score,
    killed,
    timeout,
    survived: survivors.filter(({ status }) => status === 'Survived').length,
    noCoverage: survivors.filter(({ status }) => status === 'NoCoverage').length,
    equivalent: alive.length - survivors.length,
    static: count('Ignored'),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0].model}, Node ${process.versions.node}`,
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, workers: { type: 'string', default: '1' }, help: { type: 'boolean' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(FOLDERS)
const unknown = names.find((name) => !(name in FOLDERS))
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`no folder is called ${JSON.stringify(unknown)}\n`)
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}
mkdirSync(REPORTS, { recursive: true })
for (const name of names) {
  const score = judge(name, await run(name, FOLDERS[name], values.all ?? false, Number(values.workers)), FOLDERS[name])
  const scores: Record<string, Score> = existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, 'utf8')) : {}
  const sorted = Object.entries({ ...scores, [name]: score }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}
