import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, PAGES_RUN } from '../../site/testing/run-page.ts'
import { PYTHON } from '../support/needs.ts'
import { ROOT, ran, started } from '../testing/outside.ts'

/** Pages whose blocks are not run as a whole: their commands are run one by one, each in the same folder. */
const PAGES = ['README.md', ...globSync('{docs/**,packages/*}/*.md', { cwd: ROOT })]
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => !page.includes('node_modules'))

/** Commands that are not run here, and why. */
const EXCUSED: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /[<…]|\[name\]/, why: 'the form of a command; site/build/commands.test.ts looks its name and options up' },
  { pattern: /nats:\/\//, why: 'needs three NATS servers; the tests of packages/server/src/cluster start them' },
  { pattern: /plant\.example|--tls-cert/, why: 'opens the machine to others; the tests of the server use TLS' },
  { pattern: /pb-oel reproduce --out/, why: 'takes hours; the small one beside it runs' },
  { pattern: /pb-oel bench/, why: 'measures for minutes on a quiet machine; the tests of bench/ run its parts' },
]

/** The commands in the blocks of a page, without the words behind them that say what they do. */
const commandsOf = (page: string): string[] =>
  blocksOf(page)
    .filter(
      ({ language }) => language === '' || language === 'text' || (language === 'sh' && !PAGES_RUN.includes(page)),
    )
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => /^(\w+ \| )?(npx )?pb-oel [a-z]/.test(line))
    .map((line) => line.replace('npx ', '').split(/ {2,}/)[0])

const all = PAGES.flatMap((page) => commandsOf(page).map((command) => ({ page, command })))
const excused = ({ command }: { command: string }) => EXCUSED.some(({ pattern }) => pattern.test(command))
const commands = [...new Set(all.filter((one) => !excused(one)).map(({ command }) => command))]

/** The program itself: npx would leave a server behind when it is told to end. */
const MAIN = join(ROOT, 'packages/cli/src/main.ts')
const SHELL = `pb-oel() { "${process.execPath}" "${MAIN}" "$@"; }
sensor() { printf '{"values":[120,20.9]}\\n{"values":[121,20.8]}\\n'; }
alarm() { grep levelName; }
`

/** The same command on fewer samples and seeds, where it does not say how many: the whole would take hours. */
function shorter(command: string): string {
  const [, name] = command.match(/pb-oel (\w+)/) ?? []
  const lab = ['run', 'table', 'landscape', 'curves', 'bounds', 'promises', 'reproduce'].includes(name)
  const samples = lab && !/--samples|samples=|plant\.csv/.test(command) ? ' --samples 1500' : ''
  const repeats = lab && !/--repeats/.test(command) && name !== 'reproduce' ? ' --repeats 1' : ''
  return command.replace('robustness --samples 2000', 'robustness --samples 300') + samples + repeats
}

// Inside the repository, so that package names resolve as in a clone.
const folder = mkdtempSync(join(ROOT, 'test', '.examples-'))
const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
const shell = (script: string) =>
  ran('bash', ['--norc', '-euo', 'pipefail', '-c', `${SHELL}${script}`], folder, process.env)

/** What a reader has who comes from the pages before: modules of docs/extending, files and a store with a past. */
beforeAll(() => {
  for (const page of globSync('docs/extending/*.md', { cwd: ROOT })) {
    for (const { text } of blocksOf(page)) {
      const [, name] = text.match(/^\/\/ (\w+\.ts)\n/) ?? []
      if (name) file(name, text)
    }
  }
  for (const [name, from] of [
    ['mine.ts', 'streak.ts'],
    ['bayes.ts', 'centroids.ts'],
  ]) {
    file(name, readFileSync(join(folder, from), 'utf8'))
  }
  const rows = Array.from({ length: 3000 }, (_, i) => [Math.sin(i / 50), Math.cos(i / 30), i])
  const words = ['safe', 'degraded', 'unsafe']
  const stamp = (i: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * i).toISOString()
  const line = ([a, b, i]: number[], level: string) => `${stamp(i)},${a},${b},${level}\n`
  const history = rows.map((row) => line(row, words[Math.floor(row[2] / 100) % 3])).join('')
  file('history.csv', `stamp,flow,pressure,state\n${history}`)
  const plant = rows.map((row) => line(row, row[0] > 0 ? 'safe' : 'unsafe').replace(/^[^,]+,/, '')).join('')
  file('plant.csv', `flow,pressure,state\n${plant}`)
  shell(
    'pb-oel import plant.csv --system boat --levels safe,unsafe --start 2026-01-01T00:00:00Z --every 1 --store plant.db',
  )
  cpSync(join(folder, 'plant.db'), join(folder, 'backup.db'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('commands of the docs', () => {
  it('are many, and every excuse is needed', () => {
    expect(commands.length).toBeGreaterThan(30)
    const needed = EXCUSED.filter(({ pattern }) => all.some(({ command }) => pattern.test(command)))
    expect(needed.map(({ why }) => why)).toEqual(EXCUSED.map(({ why }) => why))
  })

  it.each(commands.filter((command) => !command.includes('pb-oel serve')))('%s', (command) => {
    const printed = shell(shorter(command))
    const [, out] = command.match(/--out (\S+)/) ?? []
    expect(out ? readdirSync(folder) : printed).toEqual(
      out ? expect.arrayContaining([out]) : expect.stringMatching(/\S/),
    )
  })

  it.each(commands.filter((command) => command.includes('pb-oel serve')))('%s', async (command) => {
    const words = command.replace('pb-oel ', '').split(' ')
    if (words.includes('--new-token')) return void expect(shell(shorter(command))).toMatch(/\S{20}/)
    const server = started(process.execPath, [MAIN, ...words, '--port', '0'], folder, process.env)
    const url = await server.says(/listens on (http\S+)/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    server.end('SIGTERM')
    await server.ended
  })
})

describe('programs of the docs', () => {
  const programs = PAGES.filter((page) => !PAGES_RUN.includes(page) && !page.includes('extending/')).flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'ts')
      .map(({ text }) => ({ page, text })),
  )

  it.each(programs)('$page', ({ text }) => {
    const needed = text.includes('assess(sample)') && !text.includes('const sample')
    const given = needed ? 'const sample = new Float64Array(24).fill(0.5)\n' : ''
    // `confirm`, `reject` and `label` stand there side by side; a second answer is a correction.
    const once = text.replaceAll(/^assessor\.learn\(id, \{ kind: '(reject|label)'.*$/gm, '')
    file('program.ts', given + once.replaceAll("'dive'", "'dive:samples=1500'"))
    ran(process.execPath, ['program.ts'], folder, process.env)
  })
})

it.skipIf(!PYTHON)('the programs of python/README.md run (needs Python 3.11 with venv)', async () => {
  const server = started(process.execPath, [MAIN, 'serve', '--store', 'python.db', '--port', '0'], folder, process.env)
  const url = await server.says(/listens on (http\S+)/)
  const blocks = blocksOf('python/README.md').filter(({ language }) => language === 'python')
  expect(blocks).toHaveLength(4)
  const [local, river, client, frames] = blocks.map(({ text }) => text.replaceAll('http://127.0.0.1:8400', url))
  const given = `import pandas
stream = [({"a": i % 7, "b": i % 3}, i // 20 % 3) for i in range(300)]
frame = pandas.DataFrame({"depth": [120.5, 121.0], "oxygen": [20.9, 20.8]})
`
  // The last one goes on with the system of the one before it, while that is open.
  const program = `${given}${local}${river}${client}${frames.replaceAll(/^(?=.)/gm, '    ')}    print(len(found))\n`
  file('readme.py', program)
  const env = { ...process.env, PB_OEL_COMMAND: `${process.execPath} ${MAIN}` }
  expect(
    ran(PYTHON as string, ['readme.py'], folder, env)
      .trim()
      .split('\n')
      .at(-1),
  ).toBe('2')
})
