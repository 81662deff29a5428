// Raises all versions for a release (`npm run release:version`): those of the packages by their changesets, and with
// them the changelog, the citation and the Python package, which have the same version.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { released } from './changelog.ts'

/** Files beside the packages that name the version. */
const PLACES: readonly { file: string; pattern: RegExp }[] = [
  { file: 'CITATION.cff', pattern: /^(version: ).*$/m },
  { file: 'python/pyproject.toml', pattern: /^(version = )".*"$/m },
]

/** Raises the versions of the clone in `root`; gives the new one. Without a changeset it fails and changes nothing. */
export function raiseVersions(root: string, date: string): string {
  const tool = resolve(import.meta.dirname, '../node_modules/@changesets/cli/bin.js')
  execFileSync(process.execPath, [tool, 'version'], { cwd: root, stdio: 'inherit' })
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
  const change = (file: string, to: (text: string) => string) =>
    writeFileSync(join(root, file), to(readFileSync(join(root, file), 'utf8')))
  change('CHANGELOG.md', (text) => released(text, version, date))
  for (const { file, pattern } of PLACES) change(file, (text) => text.replace(pattern, `$1"${version}"`))
  return version
}

if (import.meta.main) console.log(raiseVersions(process.cwd(), new Date().toISOString().slice(0, 10)))
