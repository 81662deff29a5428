// Puts each error of test/planted/errors.ts into a copy of the sources and wants a test to fail.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PLANTED, type PlantedError } from '../test/planted/errors.ts'

const HELP = `npm run planted [-- words …]   puts errors into a copy of the sources, one at a time; each must fail a test

Words choose the errors whose name or file contains one of them; without words all are tried.

Example: npm run planted -- compaction clock`

/** A copy of the sources that shares the installed packages. */
function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-planted-'))
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of list.trim().split('\n')) if (existsSync(file)) cpSync(file, join(folder, file))
  const modules = ['.', 'bench', 'site', 'packages/web', 'packages/lab'].map((at) => join(at, 'node_modules'))
  for (const one of modules) if (existsSync(one)) symlinkSync(resolve(one), join(folder, one))
  return folder
}

/** Whether the tests pass in the copy. */
function passes(folder: string, tests: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...tests], {
    cwd: folder,
    stdio: 'ignore',
  })
  return status === 0
}

/** What is wrong with an entry, or undefined where a test noticed the error. */
function tryError(folder: string, { file, right, wrong, tests }: PlantedError): string | undefined {
  const text = readFileSync(join(folder, file), 'utf8')
  const parts = text.split(right)
  if (parts.length !== 2) return `${file} holds the text to replace ${parts.length - 1} times; it must hold it once`
  const missing = tests.find((test) => !existsSync(join(folder, test)))
  if (missing !== undefined) return `there is no ${missing}`
  writeFileSync(join(folder, file), parts.join(wrong))
  const unnoticed = passes(folder, tests)
  writeFileSync(join(folder, file), text)
  return unnoticed ? `${tests.join(', ')} passed all the same` : undefined
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
const chosen = PLANTED.filter(
  ({ name, file }) =>
    positionals.length === 0 || positionals.some((word) => name.includes(word) || file.includes(word)),
)
if (values.help || chosen.length === 0) {
  if (!values.help) console.error(`no planted error is about ${positionals.join(' or ')}\n`)
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}
const folder = copySources()
let unnoticed = 0
try {
  // A test that fails anyway notices nothing.
  const tests = [...new Set(chosen.flatMap((one) => one.tests))].filter((test) => existsSync(join(folder, test)))
  if (!passes(folder, tests)) throw new Error('the tests fail without any error planted; mend them first')
  for (const error of chosen) {
    const trouble = tryError(folder, error)
    if (trouble !== undefined) unnoticed++
    console.log(`${trouble === undefined ? 'noticed  ' : 'UNNOTICED'} ${error.name}${trouble ? `: ${trouble}` : ''}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} planted errors were noticed`)
process.exitCode = unnoticed === 0 ? 0 : 1
