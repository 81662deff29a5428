import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../packages/server/src/testing/folder.ts'

const SCRIPT = resolve(import.meta.dirname, '../scripts/under-load.ts')
const GOOD = '12 passed, 0 failed, 2 skipped'
const BAD = '11 passed, 1 failed, 2 skipped'
const folder = temporaryFolder()

/** Lets `npm test` run this program of Node, whose runs end with one of these lines each, or without any. */
function prepare(endings: (string | undefined)[], before = '') {
  const suite = `${before}
    const { readFileSync, writeFileSync } = require('node:fs')
    const [ending, ...others] = JSON.parse(readFileSync('endings.json', 'utf8'))
    writeFileSync('endings.json', JSON.stringify(others))
    console.log('CI=' + process.env.CI)
    if (ending) console.log(ending)`
  writeFileSync(join(folder, 'endings.json'), JSON.stringify(endings))
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"node suite.cjs"}}')
  writeFileSync(join(folder, 'suite.cjs'), suite)
}

function underLoad(...options: string[]) {
  const words = [SCRIPT, '--busy', '1', '--out', 'out.json', ...options]
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', timeout: 120_000 })
}

/** The lines that tell of a run, without their seconds. */
const linesOf = (stdout: string) => stdout.replaceAll(/ in \d+ s/g, '').split('\n')

const written = () => JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))

it('says which option is wrong and runs nothing', () => {
  prepare([GOOD])
  const { status, stderr } = underLoad('--times', 'many')
  expect([status, stderr]).toEqual([2, '--times is "many"; it must be a number of at least 1\n'])
  expect(existsSync(join(folder, 'out.json'))).toBe(false)
})

it('repeats the whole suite strictly, keeps what it prints, and fails where a run has failed or broken off', () => {
  prepare([GOOD, BAD, undefined])
  const { status, stdout } = underLoad('--times', '3')
  expect(status).toBe(1)
  expect(linesOf(stdout).slice(0, 2)).toEqual([
    `1 of 3: ${GOOD} (.cache/under-load/1.log)`,
    `2 of 3: ${BAD} (.cache/under-load/2.log)`,
  ])
  const { busy, runs } = written()
  expect([busy, runs.map(({ failed }: { failed: number }) => failed)]).toEqual([1, [0, 1, 1]])
  expect(readFileSync(join(folder, '.cache/under-load/2.log'), 'utf8')).toContain(`CI=true\n${BAD}`)
  prepare([GOOD, GOOD])
  expect(underLoad('--times', '2').status).toBe(0)
})

it('runs two suites at a time in clones of what is committed', () => {
  const meeting = join(folder, 'meeting')
  mkdirSync(meeting)
  // The first two runs go on when both have begun.
  prepare(
    [GOOD, BAD],
    `const { readdirSync, writeFileSync: touch } = require('node:fs')
    touch(${JSON.stringify(meeting)} + '/' + process.pid, '')
    while (readdirSync(${JSON.stringify(meeting)}).length < 2);`,
  )
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: folder })
  git('init')
  git('add', 'endings.json', 'package.json', 'suite.cjs')
  git('commit', '-m', 'a suite')
  writeFileSync(join(folder, 'endings.json'), '[]')

  const { status, stdout } = underLoad('--times', '3', '--at-once', '2')
  expect(status).toBe(1)
  const lines = linesOf(stdout)
  expect(lines.slice(0, 2).sort()).toEqual([1, 2].map((n) => `${n} of 3: ${GOOD} (.cache/under-load/${n}.log)`))
  expect(lines[2]).toBe(`3 of 3: ${BAD} (.cache/under-load/3.log)`)
  expect(written().atOnce).toBe(2)
})
