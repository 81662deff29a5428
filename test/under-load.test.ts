import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../packages/server/src/testing/folder.ts'

const SCRIPT = resolve(import.meta.dirname, '../scripts/under-load.ts')
const GOOD = '12 passed, 0 failed, 2 skipped'
const BAD = '11 passed, 1 failed, 2 skipped'
const folder = temporaryFolder()

/** Runs the script where `npm test` ends with one of these lines each time, or without any. */
function underLoad(endings: (string | undefined)[], ...options: string[]) {
  writeFileSync(join(folder, 'endings.json'), JSON.stringify(endings))
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"node suite.cjs"}}')
  const suite = `
    const { readFileSync, writeFileSync } = require('node:fs')
    const [ending, ...others] = JSON.parse(readFileSync('endings.json', 'utf8'))
    writeFileSync('endings.json', JSON.stringify(others))
    console.log('CI=' + process.env.CI)
    if (ending) console.log(ending)`
  writeFileSync(join(folder, 'suite.cjs'), suite)
  const words = [SCRIPT, '--busy', '1', '--out', 'out.json', ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

it('says which option is wrong and runs nothing', () => {
  const { status, stderr } = underLoad([GOOD], '--times', 'many')
  expect([status, stderr]).toEqual([2, '--times is "many"; it must be a number of at least 1\n'])
  expect(existsSync(join(folder, 'out.json'))).toBe(false)
})

it('repeats the whole suite strictly, keeps what it prints, and fails where a run has failed or broken off', () => {
  const { status, stdout } = underLoad([GOOD, BAD, undefined], '--times', '3')
  expect(status).toBe(1)
  const lines = stdout.replaceAll(/ in \d+ s/g, '').split('\n')
  expect(lines.slice(0, 2)).toEqual([
    `1 of 3: ${GOOD} (.cache/under-load/1.log)`,
    `2 of 3: ${BAD} (.cache/under-load/2.log)`,
  ])
  const { busy, runs } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))
  expect([busy, runs.map(({ failed }: { failed: number }) => failed)]).toEqual([1, [0, 1, 1]])
  expect(readFileSync(join(folder, '.cache/under-load/2.log'), 'utf8')).toContain(`CI=true\n${BAD}`)
  expect(underLoad([GOOD, GOOD], '--times', '2').status).toBe(0)
})
