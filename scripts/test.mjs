// Runs every test and closes with one line that counts them: "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (program, args) => spawnSync(process.execPath, [`node_modules/${program}`, ...args], { stdio: 'inherit' })

const build = run('typescript/bin/tsc', ['-b'])
if (build.status !== 0) {
  console.log('the sources do not compile\n0 passed, 1 failed')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-test-'))
const report = join(folder, 'report.json')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = run('vitest/vitest.mjs', ['run', ...reporters, ...process.argv.slice(2)])

let counts = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numFailedTestSuites: 0 }
try {
  counts = JSON.parse(readFileSync(report, 'utf8'))
} catch {
  console.log('the test runner ended without a report')
}
rmSync(folder, { recursive: true })
// A file that does not even load has no failed test of its own.
const failed = counts.numFailedTests || (status === 0 ? 0 : 1)
console.log(`${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests} skipped`)
process.exit(status ?? 1)
