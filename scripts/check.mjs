// Everything that is checked without running the product: style, types, unused code, packages as published, links of the docs.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenLinks } from './links.mjs'
import { packAll } from './pack.mjs'

let failures = 0

function step(name, run) {
  process.stdout.write(`${name} … `)
  let output
  try {
    output = run()
  } catch (error) {
    output = String(error.stderr ?? error.stack)
  }
  console.log(output === '' ? 'ok' : `FAILED\n${output}`)
  if (output !== '') failures++
}

/** Output of a command that failed, '' of one that did not. */
function command(file, ...args) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

step('style (biome)', () => command('biome', 'check', '.'))
step('types (tsc -b)', () => command('tsc', '-b'))
step('kernel built from its source', () => command(process.execPath, 'scripts/build-kernel.mjs', '--check'))
step('unused code (knip)', () => command('knip'))
step('packages as published (publint)', checkPackages)
step('links of the docs', () => brokenLinks().join('\n'))
process.exit(failures === 0 ? 0 : 1)

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
