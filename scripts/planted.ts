// Puts each error of test/planted/errors.ts into a copy of the sources and wants a test to fail.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { thisMachine } from '../packages/lab/src/machine.ts'
import { PLANTED, type PlantedError } from '../test/planted/errors.ts'
import { copySources, plant } from './source-copy.ts'

const HELP = `npm run planted [-- words …]   puts errors into a copy of the sources, one at a time; each must fail a test

Words choose the errors whose name or file contains one of them; without words all are tried.

  --out file   write what came of it as JSON

Examples: npm run planted -- compaction clock
          npm run planted -- --out docs/measured/planted.json`

/** Whether the tests pass in the copy. */
function passes(folder: string, tests: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...tests], {
    cwd: folder,
    stdio: 'ignore',
  })
  return status === 0
}

/** What is wrong with an entry, or undefined where a test noticed the error. */
function tryError(folder: string, error: PlantedError): string | undefined {
  const { tests } = error
  const missing = tests.find((test) => !existsSync(join(folder, test)))
  if (missing !== undefined) return `there is no ${missing}`
  const restore = plant(folder, [error])
  if (typeof restore === 'string') return restore
  const unnoticed = passes(folder, tests)
  restore()
  return unnoticed ? `${tests.join(', ')} passed all the same` : undefined
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' }, out: { type: 'string' } },
})
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
const unnoticed: string[] = []
try {
  // A test that fails anyway notices nothing.
  const tests = [...new Set(chosen.flatMap((one) => one.tests))].filter((test) => existsSync(join(folder, test)))
  if (!passes(folder, tests)) throw new Error('the tests fail without any error planted; mend them first')
  for (const error of chosen) {
    const trouble = tryError(folder, error)
    if (trouble !== undefined) unnoticed.push(error.name)
    console.log(`${trouble === undefined ? 'noticed  ' : 'UNNOTICED'} ${error.name}${trouble ? `: ${trouble}` : ''}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
console.log(`${chosen.length - unnoticed.length} of ${chosen.length} planted errors were noticed`)
if (values.out) {
  const command = ['npm run planted --', ...process.argv.slice(2)].join(' ')
  const result = { command, ...thisMachine(), planted: chosen.length, unnoticed }
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`)
}
process.exitCode = unnoticed.length === 0 ? 0 : 1
