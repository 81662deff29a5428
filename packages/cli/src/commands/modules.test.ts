import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METHODS } from '@pb-oel/core'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

/** Modules as an outsider writes them: a method, a detector, a learner and a stream. */
const MODULES = join(import.meta.dirname, '../../../lab/src/modules/testing')
const [PARROT, MINE, BAYES, WAVES] = ['parrot', 'mine', 'bayes', 'waves'].map((name) => join(MODULES, `${name}.ts`))
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-cli-modules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cli = (...words: string[]) => runCli(folder, ...words)
async function json(...args: string[]) {
  const { stdout, stderr, status } = await cli(...args, '--json')
  expect(stderr).not.toContain('error')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

describe('the path of a module stands wherever a name may', () => {
  const SMALL = ['--samples', '600', '--rho', '0.5']

  it('as method and stream of run and table', async () => {
    const { method, runs } = await json('run', `${WAVES}:seed=3`, '--method', PARROT, ...SMALL)
    expect(method).toBe(PARROT)
    const { rows } = await json('table', `${WAVES}:seed=3`, '--methods', `rvfl,${PARROT}`, ...SMALL, '--repeats', '1')
    expect(rows[1]).toMatchObject({ method: 'parrot', accuracies: [runs[0].accuracy] })
  })

  it('as detector and learner within options', async () => {
    const accuracy = async (...args: string[]) => (await json('run', 'dive', ...SMALL, ...args)).runs[0].accuracy
    expect(await accuracy('--set', `detector=${MINE}`)).toBeGreaterThan(0.5)
    expect(await accuracy('--set', `members=[{"kind":"${BAYES}"}]`)).toBeGreaterThan(0.5)
  })

  it('as stream of data info and bounds', async () => {
    expect(await json('data', 'info', `${WAVES}:samples=300`)).toMatchObject({ name: 'waves', samples: 300 })
    expect((await json('bounds', WAVES, ...SMALL, '--repeats', '1')).rows).toHaveLength(3)
  })

  writeFileSync(join(folder, 'throws.mjs'), 'throw new Error("boom")\n')
  writeFileSync(join(folder, 'three.js'), 'export default 3\n')
  it.each([
    [['run', 'dive', '--method', './none.ts'], './none.ts: no such file'],
    [['run', 'dive', '--method', './throws.mjs'], './throws.mjs: cannot be loaded: boom'],
    [['table', 'dive', '--methods', 'rvfl,./three.js'], './three.js'],
    [['run', 'dive', '--method', '@acme/parrot'], '@acme/parrot: no such package'],
    [['run', 'dive', '--set', 'detector=./none.ts'], './none.ts: no such file'],
    [['run', './none.ts:seed=3'], './none.ts: no such file'],
    [['data', 'info', './three.js'], './three.js'],
    [['methods', './none.ts'], './none.ts: no such file'],
    [['methods', 'magic'], 'one of pb-oel'],
  ])('%j ends with exit code 2 and says why', async (args, message) => {
    const { status, stdout, stderr } = await cli(...args)
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })
})

describe('pb-oel methods', () => {
  it('lists every method with title, role and summary', async () => {
    const list = await json('methods')
    expect(list.map(({ name }: { name: string }) => name)).toEqual(METHODS.map(({ name }) => name))
    expect(list[0]).toMatchObject({ name: 'pb-oel', title: 'PB-OEL', role: 'method' })
    const { stdout } = await cli('methods')
    for (const { name, title, role } of METHODS)
      expect(stdout).toMatch(new RegExp(`${name} .*${title.replace('+', '\\+')} .*${role}`))
  })

  it('shows the option table of one, also of a module', async () => {
    const { options } = await json('methods', 'pb-oel')
    const alpha = options.find(({ name }: { name: string }) => name === 'alpha')
    expect(alpha).toMatchObject({ kind: 'number', default: 0.8, from: 0, to: 1 })
    expect((await cli('methods', 'pb-oel')).stdout).toMatch(
      /alpha +number +a number in \[0, 1\] +0\.8\n +Restart exponent/,
    )
    expect(await json('methods', PARROT)).toMatchObject({ name: 'parrot', role: 'baseline' })
  })
})
