import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** A project outside the repository that holds the files of docs/extending and the packed core. */
const project = mkdtempSync(join(tmpdir(), 'pb-oel-outsider-'))
afterAll(() => rmSync(project, { recursive: true }))

/** The code blocks of docs/extending that begin with the name of a file. */
function files(): Map<string, string> {
  const found = new Map<string, string>()
  for (const page of globSync('docs/extending/*.md', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    for (const [, name, code] of text.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)^```$/gm)) found.set(name, code)
  }
  return found
}

/** Packs core as it is published, in a copy, so that nobody sees its manifest change. */
function pack(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pb-oel-pack-'))
  const folder = join(copy, 'packages/core')
  mkdirSync(folder, { recursive: true })
  for (const path of ['LICENSE', 'scripts/publish-manifest.mjs', 'packages/core/package.json', 'packages/core/dist']) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  }
  execFileSync('npm', ['pack', '--silent', '--loglevel=silent', '--pack-destination', copy], { cwd: folder })
  return join(copy, readdirSync(copy).find((name) => name.endsWith('.tgz')) as string)
}

beforeAll(() => {
  const tarball = pack()
  const target = join(project, 'node_modules/@pb-oel/core')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', target, '--strip-components=1'])
  rmSync(join(tarball, '..'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
  for (const [name, code] of files()) writeFileSync(join(project, name), code)
})

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })

it('the docs show an assessor, a detector, a learner and a stream, each with its laws', () => {
  const names = [...files().keys()]
  for (const name of ['parrot', 'streak', 'centroids', 'waves']) {
    expect(names).toContain(`${name}.ts`)
    expect(names).toContain(`${name}.test.ts`)
  }
})

it('an outsider’s parts keep the laws, run by Node’s own test runner on the packed core', () => {
  const { stdout, status } = node('--test', '--test-reporter=tap')
  expect(stdout).toMatch(/^# pass (1[5-9]|2\d)$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(status).toBe(0)
})

it('an outsider’s assessor is restored from its snapshot, and its detector with it', () => {
  expect(node('restore.ts')).toMatchObject({ stdout: '2\n', stderr: '', status: 0 })
  expect(node('watched.ts')).toMatchObject({ stdout: '3\n', stderr: '', status: 0 })
})

it('an outsider’s parts have the right types', () => {
  const options = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
