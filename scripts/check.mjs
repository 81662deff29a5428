// Everything that is checked without running the product. `npm test` runs it too and counts its failures.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { staleness } from './architecture.ts'
import { changelogProblems } from './changelog.ts'
import { duplicates } from './duplicates.ts'
import { slips } from './english.ts'
import { wrongFigures } from './figures.ts'
import { brokenLinks } from './links.mjs'
import { longFunctions } from './long-functions.ts'
import { outsidePaths } from './outside.ts'
import { packageProblems } from './packages.ts'
import { stalePictures } from './pictures.ts'

/** Name → a function that returns or promises what is wrong, '' when nothing is. */
const CHECKS = {
  'style (biome)': () => tool('@biomejs/biome/bin/biome', 'check', '.', '--max-diagnostics=100'),
  'types (tsc -b)': () => tool('typescript-native/bin/tsc', '-b'),
  'kernel built from its source': () => command('scripts/build-kernel.mjs', '--check'),
  'unused code (knip)': () => tool('knip/bin/knip.js'),
  'packages as published (publint, attw, sizes)': async () => (await packageProblems()).join('\n'),
  'functions of at most 70 lines': () => longFunctions().join('\n'),
  'nothing written twice': () => duplicates().join('\n'),
  'plain English': () => slips().join('\n'),
  'nothing outside the repository': () => outsidePaths().join('\n'),
  'picture of the architecture is fresh': staleness,
  'pictures of the docs are drawn from what is stored': () => stalePictures().join('\n'),
  'figures of the docs are the stored ones': () => wrongFigures().join('\n'),
  'changelog by kind': () => changelogProblems(readFileSync('CHANGELOG.md', 'utf8')).join('\n'),
  'links of the docs': () => brokenLinks().join('\n'),
}

/** Runs every check, prints what each finds, and counts. */
export async function check() {
  const counts = { passed: 0, failed: 0 }
  for (const [name, run] of Object.entries(CHECKS)) {
    process.stdout.write(`${name} … `)
    const output = await attempt(run)
    console.log(output === '' ? 'ok' : `FAILED\n${output}`)
    counts[output === '' ? 'passed' : 'failed']++
  }
  return counts
}

async function attempt(run) {
  try {
    return await run()
  } catch (error) {
    return String(error.stderr || error.stack)
  }
}

/** A program of an installed package, started by its file: what npm puts into .bin is a shell script on Windows. */
const tool = (file, ...args) => command(`node_modules/${file}`, ...args)

/** Output of a program that failed, '' of one that did not. */
function command(file, ...args) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' })
  if (error) throw error
  return status === 0 ? '' : `${stdout}${stderr}`
}

if (import.meta.main) {
  const { passed, failed } = await check()
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
