// Everything that is checked without running the product. `npm test` runs it too and counts its failures.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { staleness } from './architecture.ts'
import { duplicates } from './duplicates.ts'
import { slips } from './english.ts'
import { brokenLinks } from './links.mjs'
import { longFunctions } from './long-functions.ts'
import { outsidePaths } from './outside.ts'
import { packAll } from './pack.mjs'

/** Name → a function that returns what is wrong, '' when nothing is. */
const CHECKS = {
  'style (biome)': () => command('biome', 'check', '.', '--max-diagnostics=100'),
  'types (tsc -b)': () => command('tsc', '-b'),
  'kernel built from its source': () => command(process.execPath, 'scripts/build-kernel.mjs', '--check'),
  'unused code (knip)': () => command('knip'),
  'packages as published (publint)': checkPackages,
  'functions of at most 70 lines': () => longFunctions().join('\n'),
  'nothing written twice': () => duplicates().join('\n'),
  'plain English': () => slips().join('\n'),
  'nothing outside the repository': () => outsidePaths().join('\n'),
  'picture of the architecture is fresh': staleness,
  'links of the docs': () => brokenLinks().join('\n'),
}

/** Runs every check, prints what each finds, and counts. */
export function check() {
  const counts = { passed: 0, failed: 0 }
  for (const [name, run] of Object.entries(CHECKS)) {
    process.stdout.write(`${name} … `)
    const output = attempt(run)
    console.log(output === '' ? 'ok' : `FAILED\n${output}`)
    counts[output === '' ? 'passed' : 'failed']++
  }
  return counts
}

function attempt(run) {
  try {
    return run()
  } catch (error) {
    return String(error.stderr || error.stack)
  }
}

/** Output of a command that failed, '' of one that did not. */
function command(file, ...args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' })
  if (error) throw error
  return status === 0 ? '' : `${stdout}${stderr}`
}

/** What publint finds in the packed tarballs. */
function checkPackages() {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-check-'))
  try {
    return Object.values(packAll(folder))
      .map((tarball) => command('publint', 'run', tarball, '--strict'))
      .join('')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { passed, failed } = check()
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
