import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changelogProblems, released } from '../scripts/changelog.ts'
import { raiseVersions } from '../scripts/release-version.ts'

const ROOT = join(import.meta.dirname, '..')
const GOOD = '# Changelog\n\n## Unreleased\n### Added\n- a\n- b\n### Fixed\n- c\n'

describe('the changelog', () => {
  it('has each kind once in a version, in order, and no line twice', () => {
    expect(changelogProblems(GOOD)).toEqual([])
    expect(changelogProblems(GOOD.replace('Fixed', 'Added'))).toHaveLength(1)
    expect(changelogProblems(GOOD.replace('Added', 'Security'))).toHaveLength(1)
    expect(changelogProblems(GOOD.replace('- c', '- a'))).toEqual(['Unreleased: stands twice: a'])
    expect(changelogProblems(GOOD.replace('Unreleased', '1.0.0'))).toEqual(['there is no ## Unreleased'])
  })

  it('refuses a release without a line', () => {
    expect(() => released('# Changelog\n\n## Unreleased\n\n## 0.1.0\n### Added\n- a\n', '0.2.0', '')).toThrow(
      'nothing is unreleased',
    )
  })
})

/** What a release changes, in a folder of its own. */
function copyOfManifests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = [
    '*package.json',
    'package-lock.json',
    '.changeset',
    'CHANGELOG.md',
    'CITATION.cff',
    'python/pyproject.toml',
  ]
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...names], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of files.trim().split('\n')) cpSync(join(ROOT, file), join(folder, file))
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: folder })
  return folder
}

it('`npm run release:version` raises every version and moves the changes under it', () => {
  const folder = copyOfManifests()
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const before = read('CHANGELOG.md')
  const version = raiseVersions(folder, '2026-12-01')
  for (const place of ['cli', 'core', 'lab', 'protocol', 'server']) {
    expect(JSON.parse(read(`packages/${place}/package.json`)).version, place).toBe(version)
  }
  expect(JSON.parse(read('packages/cli/package.json')).dependencies['@pb-oel/core']).toBe(version)
  for (const file of ['CITATION.cff', 'python/pyproject.toml']) expect(read(file)).toContain(`"${version}"`)
  const after = read('CHANGELOG.md')
  expect(after).toContain(`## Unreleased\n\n## ${version} – 2026-12-01\n### Added\n`)
  expect(after.length - before.length).toBe(`\n## ${version} – 2026-12-01\n`.length)
  expect(changelogProblems(after)).toEqual([])
  expect(readdirSync(join(folder, '.changeset')).sort()).toEqual(['README.md', 'config.json'])
  expect(() => raiseVersions(folder, '2026-12-02')).toThrow('changeset')
  expect(read('CHANGELOG.md')).toBe(after)
})
