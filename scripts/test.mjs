// Runs every check and every test, and closes with one line that counts them: "N passed, N failed, N skipped".
// With arguments, such as the path of a test file, it runs those tests only and leaves the checks out. With CI=true or
// PB_OEL_STRICT=1 a test that a missing program would skip fails (scripts/skips.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Runs a script of Node to its end; its exit code. */
async function run(file, ...args) {
  const [status] = await once(spawn(process.execPath, [file, ...args], { stdio: 'inherit' }), 'exit')
  return status
}

/** Runs the checks beside the tests, which leave a core idle now and then; what they print, and how many failed. */
async function runChecks() {
  const child = spawn(process.execPath, ['scripts/check.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const text = (await child.stdout.setEncoding('utf8').toArray()).join('')
  const [, passed, failed] = text.match(/(\d+) passed, (\d+) failed\n$/) ?? [0, 0, 1]
  return { text, passed: Number(passed), failed: Number(failed) }
}

const filters = process.argv.slice(2)
const checking = filters.length === 0 ? runChecks() : { text: '', passed: 0, failed: 0 }

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-test-'))
const report = join(folder, 'report.json')
const reporters = [
  '--reporter=default',
  '--reporter=./scripts/skips.ts',
  '--reporter=json',
  `--outputFile.json=${report}`,
]
const status = await run('node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters)
const checks = await checking
process.stdout.write(checks.text)

let tests = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 }
try {
  tests = JSON.parse(readFileSync(report, 'utf8'))
} catch {
  console.log('the test runner ended without a report')
}
rmSync(folder, { recursive: true })
// Where the time goes, so that a slow file is seen before the whole suite is slow.
const slowest = (tests.testResults ?? [])
  .map(({ name, startTime, endTime }) => ({ file: relative('.', name), seconds: (endTime - startTime) / 1000 }))
  .sort((a, b) => b.seconds - a.seconds)
  .slice(0, 10)
if (slowest.length > 1) {
  console.log(['slowest files:', ...slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1)} s ${file}`)].join('\n'))
}
// A file that does not even load has no failed test of its own.
const failed = (tests.numFailedTests || (status === 0 ? 0 : 1)) + checks.failed
if (checks.failed > 0) console.log(`${checks.failed} of the checks failed; npm run check shows them alone`)
console.log(`${tests.numPassedTests + checks.passed} passed, ${failed} failed, ${tests.numPendingTests} skipped`)
process.exit(failed === 0 ? 0 : 1)
