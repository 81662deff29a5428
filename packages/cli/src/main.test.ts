import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli, watchedCli } from './testing/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cli = (...words: string[]) => runCli(folder, ...words)

describe('pb-oel run', () => {
  it('prints one JSON document with the agreed fields', async () => {
    const { stdout, status } = await cli(
      'run',
      'dive',
      '--samples',
      '1500',
      '--rho',
      '0.1',
      '--repeats',
      '2',
      '--seed',
      '3',
      '--json',
    )
    expect(status).toBe(0)
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ stream: 'dive', method: 'pb-oel', rho: 0.1, samples: 1500 })
    expect(document.runs.map((run: { seed: number }) => run.seed)).toEqual([3, 4])
    for (const run of document.runs) {
      for (const field of [
        'accuracy',
        'macroF1',
        'kappa',
        'kappaTemporal',
        'misses',
        'falseAlarms',
        'labels',
        'drifts',
        'samplesPerSecond',
      ]) {
        expect(typeof run[field]).toBe('number')
      }
      for (const field of ['value', 'ultimate', 'regret', 'bestExpert']) expect(typeof run.bound[field]).toBe('number')
      expect(run.bound.applies).toBe(true)
    }
    const [a, b] = document.runs.map((run: { accuracy: number }) => run.accuracy)
    expect(document.mean).toBeCloseTo((a + b) / 2, 12)
    expect(document.std).toBeCloseTo(Math.abs(a - b) / Math.SQRT2, 12)
  })

  it('prints a table and words for people, and reads files', async () => {
    writeFileSync(
      join(folder, 'plant.csv'),
      `a,b,state\n${Array.from({ length: 400 }, (_, i) => `${i % 2},${i % 7},${i % 2 ? 'ok' : 'bad'}`).join('\n')}\n`,
    )
    const { stdout, status } = await cli('run', 'plant.csv', '--method', 'rvfl', '--rho', '1', '--set', 'groups=2')
    expect(status).toBe(0)
    expect(stdout).toContain('rvfl on plant.csv: 400 samples, ρ = 1')
    expect(stdout).toContain('no-change baseline')
    expect(stdout).toContain('guarantee does not apply')
  })

  it.each([
    [['run', 'dive', '--rho', '2'], '--rho'],
    [['run', 'dive', '--rho', ''], '--rho'],
    [['run', 'dive', '--method', 'magic'], 'option method is "magic"; it must be one of pb-oel'],
    [['run', 'dive', '--set', 'c=-1'], 'option c is -1; it must be a number in (0, 100]'],
    [['run', 'dive', '--set', 'colour=1'], 'option colour'],
    [['run', 'dive', '--set', 'c'], 'Expected name=value'],
    [['run', 'nowhere.csv'], 'nowhere.csv: no such file'],
    [['run', 'dive:depth=1'], 'dive:depth'],
    [['run'], "missing required argument 'stream'"],
    [['run', 'dive', '--repeats', '0'], '--repeats'],
    [['fly'], "unknown command 'fly'"],
    [['data', 'export', 'dive', '--out', 'no/such/folder/x.csv', '--samples', '10'], 'cannot be written (ENOENT)'],
  ])('%j ends with exit code 2 and says why', async (args, message) => {
    const { status, stdout, stderr } = await cli(...args)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })

  it('stops on Ctrl-C with the finished runs on stdout', async () => {
    const words = ['run', 'dive:samples=2000', '--set', 'experts=2', '--repeats', '2000', '--json']
    // On a terminal progress is told at once. commands/lab.test.ts sends a signal to a process.
    const { isTTY } = process.stderr
    process.stderr.isTTY = true
    let told = false
    const { stdout, stderr, status } = await watchedCli(folder, words, (line) => {
      const [, done = '0'] = line.match(/([\d,]+)\/4,000,000/) ?? []
      if (told || Number(done.replaceAll(',', '')) <= 2000) return
      told = true
      process.listeners('SIGINT').at(-1)?.('SIGINT')
    })
    process.stderr.isTTY = isTTY
    expect(status).toBe(130)
    const { runs } = JSON.parse(stdout)
    expect(runs.length).toBeGreaterThan(0)
    expect(stderr).toContain(`stopped after ${runs.length} of 2,000 runs`)
  })
})

describe('pb-oel data', () => {
  it('lists and describes streams', async () => {
    expect(JSON.parse((await cli('data', 'list', '--json')).stdout)[0].name).toBe('dive')
    expect(JSON.parse((await cli('data', 'info', 'dive', '--samples', '500', '--json')).stdout)).toMatchObject({
      samples: 500,
    })
    expect((await cli('data', 'info', 'dive', '--samples', '500')).stdout).toContain('no-change accuracy')
  })

  it('exports the same bytes for the same seed, to stdout or a file, and leaves no half-written file', async () => {
    const piped = (await cli('data', 'export', 'dive', '--seed', '1', '--samples', '700')).stdout
    expect((await cli('data', 'export', 'dive', '--seed', '1', '--samples', '700', '--out', 'd.csv')).status).toBe(0)
    expect(readFileSync(join(folder, 'd.csv'), 'utf8')).toBe(piped)
    expect((await cli('data', 'export', 'dive', '--seed', '2', '--samples', '700')).stdout).not.toBe(piped)
    expect(piped.split('\n')).toHaveLength(702)
    expect(readdirSync(folder).filter((file) => file.endsWith('.partial'))).toEqual([])
  })
})

it('every command has help with examples', async () => {
  for (const args of [[], ['run'], ['data'], ['data', 'list'], ['data', 'info'], ['data', 'export'], ['demo']]) {
    const { stdout, status } = await cli(...args, '--help')
    expect(status).toBe(0)
    expect(stdout).toContain('Examples:')
  }
})

it('the demo ends in a summary a person understands', async () => {
  const { stdout, status } = await cli('demo')
  expect(status).toBe(0)
  expect(stdout).toMatch(/Right: 9\d\.\d\d % of 30,000 samples/)
  expect(stdout).toContain('Guarantee: an expected accuracy of at least')
})
