// Everything that is checked without running the product: style, types, unused code, packages as published, links of the docs.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenLinks } from './links.mjs'

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

const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))

step('style (biome)', () => command('biome', 'check', '.'))
step('types (tsc -b)', () => command('tsc', '-b'))
step('kernel built from its source', () => command(process.execPath, 'scripts/build-kernel.mjs', '--check'))
step('unused code (knip)', () => command('knip'))
for (const workspace of workspaces) step(`package ${workspace} (publint)`, () => checkPackage(workspace))
step('links of the docs', () => brokenLinks().join('\n'))
process.exit(failures === 0 ? 0 : 1)

function checkPackage(workspace) {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-pack-'))
  try {
    execFileSync('npm', ['pack', '--silent', '--loglevel=silent', '--pack-destination', folder], { cwd: workspace })
    execFileSync('tar', ['xzf', join(folder, readdirSync(folder)[0]), '-C', folder])
    return command('publint', 'run', join(folder, 'package'), '--strict')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
