import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-cli-lab-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** A method as an outsider writes it, by its path from the folder of the experiment. */
const PARROT = relative(folder, join(import.meta.dirname, '../../../lab/src/modules/testing/parrot.ts'))
const cli = (...words: string[]) => runCli(folder, ...words)

const SMALL = ['--samples', '600', '--repeats', '2']

describe('pb-oel run', () => {
  it('tells promise B with every answer late, in words and as JSON', async () => {
    const args = ['run', 'dive', '--method', 'pb-oel-plus', '--rho', '0', '--samples', '400', '--answers', 'delay=200']
    const { stdout } = await cli(...args)
    expect(stdout).toMatch(
      /promise: no expert was better by more than 0\.\d{5} per sample, with 95 % confidence, whatever the/,
    )
    const [run] = JSON.parse((await cli(...args, '--json')).stdout).runs
    const { bound } = run
    const row = stdout.split('\n').find((line) => line.startsWith('1 ')) as string
    expect(row.split(/ {2,}/).slice(0, 10)).toEqual([
      '1',
      ...[run.accuracy, run.macroF1, run.kappa, run.kappaTemporal].map((value: number) => value.toFixed(4)),
      ...[run.misses, run.falseAlarms, run.labels, run.drifts].map(String),
      bound.value.toFixed(4),
    ])
    expect(stdout).toContain(run.accuracy > run.noChange ? ': beaten' : ': not beaten')
    const { value, confidence, terms } = bound.regretWithConfidence
    expect(confidence).toBe(0.95)
    expect(value).toBeCloseTo(terms.against + terms.inFavour + terms.open + terms.chance, 12)
    expect(stdout).toContain(`by more than ${value.toFixed(5)} per sample`)
  })
})

describe('pb-oel suite', () => {
  const streams = join(folder, 'suite')
  const row = (i: number) => `${Math.floor(i / 20) % 3},${i % 7},${Math.floor(i / 20) % 3}`
  const file = `a,b,level\n${Array.from({ length: 300 }, (_, i) => row(i)).join('\n')}\n`
  const args = ['suite', streams, 'dive', '--methods', 'pb-oel-plus,no-change', '--rho', '0,1', ...SMALL]

  it('compares methods on every stream of a folder, and again without running anything', async () => {
    mkdirSync(streams)
    writeFileSync(join(streams, 'plant.csv'), file)
    writeFileSync(join(streams, 'notes.csv'), 'no,stream\n')
    writeFileSync(join(streams, 'README.md'), 'Not a stream.')
    const { stdout, stderr, status } = await cli(
      ...args,
      '--skip',
      'notes',
      '--json',
      '--out',
      join(folder, 'suite-report'),
    )
    expect(stderr).toContain('16 runs')
    expect(status).toBe(0)
    const document = JSON.parse(stdout)
    expect(document.streams).toEqual([
      { stream: 'plant', samples: 300, levels: 3 },
      { stream: 'dive', samples: 600, levels: 3 },
    ])
    for (const { standings } of document.shares) {
      expect(standings.map(({ rank }: { rank: number }) => rank).reduce((a: number, b: number) => a + b)).toBe(3)
    }
    const report = readFileSync(join(folder, 'suite-report', 'report.html'), 'utf8')
    expect(report).toContain('All 2 streams at')
    const stored = readdirSync(join(folder, 'cache', 'results')).map((name) =>
      readFileSync(join(folder, 'cache', 'results', name), 'utf8'),
    )
    const text = await cli(...args, '--skip', 'notes')
    expect(text.stdout).toContain('2 methods on 2 streams, mean of 2 runs: plant, dive')
    expect(
      readdirSync(join(folder, 'cache', 'results')).map((name) =>
        readFileSync(join(folder, 'cache', 'results', name), 'utf8'),
      ),
    ).toEqual(stored)
  })

  it('refuses what it cannot read, by name', async () => {
    const empty = await cli('suite', join(folder, 'nowhere'))
    expect(empty.status).toBe(2)
    expect(empty.stderr).toContain('nowhere')
    const skipped = await cli(...args, '--skip', 'plants')
    expect(skipped.status).toBe(2)
    expect(skipped.stderr).toContain('plants')
    mkdirSync(join(folder, 'bare'))
    const bare = await cli('suite', join(folder, 'bare'))
    expect(bare.status).toBe(2)
    expect(bare.stderr).toContain('holds no stream')
  })
})

describe('pb-oel table', () => {
  it('prints one JSON document with the agreed fields', async () => {
    const { stdout, status } = await cli(
      'table',
      'dive',
      '--methods',
      'pb-oel,rvfl,no-change',
      '--rho',
      '0,0.5',
      ...SMALL,
      '--json',
    )
    expect(status).toBe(0)
    const { rows, ranks } = JSON.parse(stdout)
    expect(rows).toHaveLength(6)
    for (const { method, rho, mean, std, accuracies } of rows) {
      expect(['pb-oel', 'rvfl', 'no-change']).toContain(method)
      expect([0, 0.5]).toContain(rho)
      expect(accuracies).toHaveLength(2)
      expect(mean).toBeCloseTo((accuracies[0] + accuracies[1]) / 2, 12)
      expect(std).toBeCloseTo(Math.abs(accuracies[0] - accuracies[1]) / Math.SQRT2, 12)
    }
    expect(ranks).toEqual({ 'pb-oel': 1, rvfl: 2, 'no-change': null })
  })

  it('prints a table for people, with stars for the best', async () => {
    const { stdout, status } = await cli('table', 'dive', '--methods', 'pb-oel,rvfl', '--rho', '0,0.5', ...SMALL)
    expect(status).toBe(0)
    expect(stdout).toContain('dive: 600 samples, mean ± standard deviation over 2 runs')
    expect(stdout).toMatch(/pb-oel +0\.\d{3}±0\.\d{3}\*/)
  })

  it('gives the figures of pb-oel run', async () => {
    const table = JSON.parse(
      (await cli('table', 'dive', '--methods', 'pb-oel', '--rho', '0.5', ...SMALL, '--json')).stdout,
    )
    const run = JSON.parse((await cli('run', 'dive', '--rho', '0.5', ...SMALL, '--json')).stdout)
    expect(table.rows[0].accuracies).toEqual(run.runs.map(({ accuracy }: { accuracy: number }) => accuracy))
  })

  it('compares several streams, files among them, and writes a report', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `${i % 2},${i % 7},${i % 2 ? 'ok' : 'bad'}`)
    writeFileSync(join(folder, 'plant.csv'), `a,b,state\n${rows.join('\n')}\n`)
    const { stdout, stderr, status } = await cli(
      'table',
      'dive',
      'plant.csv',
      '--methods',
      'pb-oel,rvfl',
      '--rho',
      '0.5',
      ...SMALL,
      '--out',
      'two',
      '--json',
    )
    expect(stderr).toContain(join('two', 'report.html'))
    expect(status).toBe(0)
    expect(JSON.parse(stdout).streams.map(({ stream }: { stream: string }) => stream)).toEqual(['dive', 'plant'])
    expect(readdirSync(join(folder, 'two'))).toContain('critical-difference.png')
  })
})

describe('the other commands', () => {
  it('landscape', async () => {
    const args = ['landscape', 'dive', '--samples', '400', '--c', '0.1,10', '--alpha', '0,0.8', '--rho', '0']
    const { landscapes } = JSON.parse((await cli(...args, '--json')).stdout)
    expect(landscapes[0].points).toHaveLength(4)
    expect(
      landscapes[0].points.find(({ c, alpha }: { c: number; alpha: number }) => c === 10 && alpha === 0).capped,
    ).toBe(true)
    expect(landscapes[0].best.c).toBe(0.1)
    expect((await cli(...args)).stdout).toMatch(/10 +0\.\d{3}!/)
  })

  it('curves', async () => {
    const { curves } = JSON.parse(
      (await cli('curves', 'dive', '--methods', 'pb-oel', '--rho', '0.5', ...SMALL, '--json')).stdout,
    )
    expect(curves[0].samples).toHaveLength(150)
    expect(curves[0].prequential.mean).toHaveLength(150)
    expect(curves[0].latest1000.std).toHaveLength(150)
  })

  it('bounds', async () => {
    const args = ['bounds', 'dive', '--rho', '1', ...SMALL]
    const { rows } = JSON.parse((await cli(...args, '--json')).stdout)
    const lines = (await cli(...args)).stdout.split('\n').filter((line) => line.startsWith('pb-oel'))
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      rows.map((row: Record<string, number>) => [
        ...[row.method, '1'],
        ...[row.accuracy, row.bestExpert, row.ultimate, row.regret, row.value].map((value) => value.toFixed(4)),
        'yes',
      ]),
    )
    expect(rows.map(({ method }: { method: string }) => method)).toEqual(['pb-oel-standard', 'pb-oel-scaled', 'pb-oel'])
    for (const { accuracy, value, applies } of rows) {
      expect(applies).toBe(true)
      expect(accuracy).toBeGreaterThan(value)
    }
  })

  it('experiment, with a method of the user’s own', async () => {
    writeFileSync(
      join(folder, 'e.json'),
      JSON.stringify({
        title: 'Mine',
        streams: ['sea:samples=300'],
        methods: ['rvfl', PARROT],
        rho: [1],
        repeats: 1,
      }),
    )
    const { stdout, stderr, status } = await cli('experiment', 'e.json', '--out', 'mine', '--json')
    expect(stderr).not.toContain('error')
    expect(status).toBe(0)
    const [{ rows }] = JSON.parse(stdout).parts[0].streams
    expect(rows.map(({ method }: { method: string }) => method)).toEqual(['rvfl', 'parrot'])
    expect(readFileSync(join(folder, 'mine', 'report.html'), 'utf8')).toContain('Mine')
  })

  it('data list and data info know the new streams', async () => {
    const names = JSON.parse((await cli('data', 'list', '--json')).stdout).map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['dive', 'sea', 'hyperplane', 'checkerboard', 'led', 'waveform', 'abrupt', 'jiaolong']),
    )
    writeFileSync(join(folder, 'holes.csv'), 'a,b,l\n1,1,x\n,,y\n3,3,x\n')
    const { stdout } = await cli('data', 'info', 'holes.csv')
    expect(stdout).toContain('no-change accuracy 0.0000, majority 0.6667, missing values 2')
    expect(stdout).toMatch(/^x +2 +66\.7 %$/m)
    // Lowest, highest, mean, deviation of 1 and 3, and one that is missing.
    expect(stdout).toMatch(/^a +1 +3 +2 +1 +1$/m)
    expect(stdout).toContain('equal channels: a = b')
  })

  it.each([
    [['table', 'dive', '--methods', 'magic'], 'one of pb-oel', 2],
    [['table', 'dive', '--rho', '0,2'], '--rho', 2],
    [['table', 'dive', '--rho', '0,,1'], '--rho', 2],
    [['table', 'dive', '--methods', 'rvfl,'], '--methods', 2],
    [['table', 'none.csv'], 'no such file', 2],
    [['table'], 'missing required argument', 2],
    [['landscape', 'dive', '--c', '-1'], '--c', 2],
    [['experiment', 'none.json'], 'no such file', 2],
    [['table', 'dive', '--out', 'e.json/x', '--methods', 'rvfl'], 'cannot be made a folder', 2],
    [['data', 'get', 'moon'], 'one of jiaolong', 2],
  ])('%j says what is wrong', async (args, message, code) => {
    const { status, stdout, stderr } = await cli(...args)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(status).toBe(code)
  })

  it('every command has help with examples', async () => {
    for (const command of ['table', 'landscape', 'curves', 'bounds', 'reproduce', 'experiment']) {
      expect((await cli(command, '--help')).stdout).toContain('Examples:')
    }
    expect((await cli('data', 'get', '--help')).stdout).toContain('Examples:')
    for (const [command, ...defaults] of [
      ['run', 'default: "pb-oel"', 'default: 0.05', 'default: 1'],
      ['table', 'default: 3', 'default: 1'],
      ['bounds', 'default: 3'],
      ['suite', 'default: [0,0.05,1]', 'default: 3'],
      ['promises', 'default: "pb-oel-plus"', 'default: 0.005'],
    ]) {
      const help = (await cli(command, '--help')).stdout.replaceAll(/\s+/g, ' ')
      for (const words of defaults) expect([command, help]).toEqual([command, expect.stringContaining(words)])
    }
  })
})

describe('stopped and resumed', () => {
  const args = [
    'table',
    'dive',
    '--samples',
    '1500',
    '--methods',
    'pb-oel,rvfl,rvfl-hddm-np',
    '--rho',
    '0,0.1,1',
    '--repeats',
    '4',
    '--workers',
    '2',
  ]
  const RUNS = 3 * 3 * 4
  /** Finished runs in a store. */
  const lines = (store: string) => {
    const path = join(folder, store)
    const files = existsSync(path) ? readdirSync(path) : []
    return files.reduce((sum, file) => sum + readFileSync(join(path, file), 'utf8').split('\n').length - 1, 0)
  }
  const files = (out: string) => readdirSync(join(folder, out)).filter((file) => file !== '_machine.json')
  const env = { ...process.env, PB_OEL_CACHE: join(folder, 'cache') }
  const start = (out: string, store: string) =>
    spawn(process.execPath, [BIN, ...args, '--out', out, '--store', store], { cwd: folder, env })
  const ended = (child: ReturnType<typeof start>) => new Promise<number | null>((done) => child.on('exit', done))

  it('Ctrl-C ends cleanly and says how to go on', async () => {
    const child = start('ctrl', 'store-ctrl')
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    while (child.exitCode === null && lines('store-ctrl') === 0) await setTimeout(20)
    child.kill('SIGINT')
    expect(await ended(child)).toBe(130)
    expect(stderr).toMatch(/stopped with \d+ of 36 runs done; the same command goes on from there/)
  })

  // KILLS=10 is the long form of this trial.
  it('killed at random moments, the report is in the end the same bytes as one made without a stop', async () => {
    const done = () => lines('store-killed')
    const counts: number[] = []
    for (let kill = 0; kill < Number(process.env.KILLS ?? 3); kill++) {
      const before = done()
      const child = start('killed', 'store-killed')
      const end = ended(child)
      // In the middle of the work: something new is done, then a random moment later.
      while (child.exitCode === null && done() === before) await setTimeout(20)
      await Promise.race([setTimeout(Math.random() * 400), end])
      child.kill('SIGKILL')
      await end
      counts.push(done())
    }
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[0]).toBeLessThan(RUNS)
    expect((await cli(...args, '--out', 'killed', '--store', 'store-killed')).status).toBe(0)
    expect((await cli(...args, '--out', 'whole', '--store', 'store-whole', '--workers', '1')).status).toBe(0)
    expect(files('killed')).toEqual(files('whole'))
    for (const file of files('whole')) {
      expect(readFileSync(join(folder, 'killed', file)).equals(readFileSync(join(folder, 'whole', file)))).toBe(true)
    }
  })
})
