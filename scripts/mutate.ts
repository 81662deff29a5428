// Changes the code a little, many times, and counts how many of the changes a test notices (mutation testing,
// StrykerJS).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { EQUIVALENTS } from '../test/mutation/equivalents.ts'
import { FOLDERS, type MutatedFolder } from '../test/mutation/folders.ts'

const HELP = `npm run mutate [-- folder …]       mutation score of each folder, of all without a name
npm run mutate -- folder/file.ts …   of one file alone; its score is kept under that name

  --all         run every mutant again; without it only what changed since the last run
  --workers n   mutants at a time (default: 1)

Folders: ${Object.keys(FOLDERS).join(', ')}
Scores are kept in ${'docs/measured/mutation.json'}, reports in .cache/mutation/.
Survivors are killed by a test, or listed in test/mutation/equivalents.ts with the reason why they change nothing.

Examples: npm run mutate -- drift metrics
          npm run mutate -- fold/system-fold.ts`

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

/** Runs the mutants of one folder, or of one file in it, against the tests of the folder. */
function run(
  word: string,
  { mutate, except = [], tests, slow, patience }: MutatedFolder,
  all: boolean,
  workers: number,
): Promise<Result[]> {
  const report = `${REPORTS}/${word.replaceAll('/', '-')}`
  process.env.PB_OEL_MUTATE_TESTS = tests.join('\n')
  process.env.PB_OEL_MUTATE_SLOW = String(slow)
  const stryker = new Stryker({
    testRunner: 'in-process',
    plugins: [resolve('test/mutation/runner.ts')],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    mutate: [
      pathOf(word).replace(/(?<!\.ts)$/, '/**/*.ts'),
      '!**/*.test.ts',
      '!**/testing/**',
      '!**/assembly/**',
      '!**/*.wasm.ts',
      ...except.map((one) => `!${mutate}/${one}`),
    ],
    // Texts are for people. Where a word decides something, the comparison around it is mutated.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency: workers,
    // A mutant that does not end counts as noticed. A busy machine must not look like one.
    timeoutMS: patience,
    timeoutFactor: 3,
    incremental: true,
    force: all,
    incrementalFile: `${report}.incremental.json`,
    tempDirName: '.cache/stryker',
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    ignorePatterns: ['**/dist', '.cache', 'docs/images'],
    disableTypeChecks: false,
  } as ConstructorParameters<typeof Stryker>[0])
  return stryker.runMutationTest()
}

/** The path of a folder or file, of which the command line says `folder` or `folder/file.ts`. */
function pathOf(word: string): string {
  const [folder, ...file] = word.split('/')
  return [FOLDERS[folder].mutate, ...file].join('/')
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
function judge(word: string, results: readonly Result[]): Score {
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
    if (!`${entry.file}/`.startsWith(`${pathOf(word)}/`) || excused.includes(entry)) continue
    console.log(`test/mutation/equivalents.ts: no survivor is ${entry.file}: ${entry.line} → ${entry.replacement}`)
  }
  const [killed, timeout] = [count('Killed'), count('Timeout')]
  const score = Math.round((1000 * (killed + timeout)) / (killed + timeout + survivors.length)) / 10
  console.log(`${word}: ${score} %, ${survivors.length} survived of ${killed + timeout + survivors.length}`)
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
const words = positionals.length > 0 ? positionals : Object.keys(FOLDERS)
const unknown = words.find((word) => !(word.split('/')[0] in FOLDERS) || !existsSync(pathOf(word)))
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`no folder or file is called ${JSON.stringify(unknown)}\n`)
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}
mkdirSync(REPORTS, { recursive: true })
for (const word of words) {
  const folder = FOLDERS[word.split('/')[0]]
  const score = judge(word, await run(word, folder, values.all ?? false, Number(values.workers)))
  const scores: Record<string, Score> = existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, 'utf8')) : {}
  const sorted = Object.entries({ ...scores, [word]: score }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}
