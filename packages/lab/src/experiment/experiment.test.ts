import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { OptionError } from '@pb-oel/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAPER } from '../analysis/paper.ts'
import { DataError } from '../errors.ts'
import { codeFiles, codeVersion, jobKey } from '../job/fingerprint.ts'
import type { Job } from '../job/job.ts'
import type { JobResult } from '../job/run-job.ts'
import { testFolder } from '../testing/folder.ts'
import { madeUpResult } from '../testing/results.ts'
import {
  boundsExperiment,
  landscapeExperiment,
  reproduction,
  suiteExperiment,
  tableExperiment,
  tableMethods,
} from './built-in.ts'
import { checkExperiments } from './check-experiment.ts'
import { type Experiment, plan } from './experiment.ts'
import { loadExperiment } from './load-experiment.ts'
import { type ExperimentProgress, ProgressMeter } from './progress-meter.ts'
import { ResultStore } from './result-store.ts'
import { type ExperimentResult, runExperiments } from './run-experiments.ts'

const folder = testFolder()
let stores = 0
const freshStore = () => join(folder.path, `store-${stores++}`)

const SMALL: Experiment = {
  streams: ['dive:samples=400'],
  methods: ['pb-oel', 'rvfl', 'no-change'],
  rho: [0, 0.5],
  repeats: 2,
}
const figures = (results: ExperimentResult[]) =>
  results.map(({ result: { samplesPerSecond: _, ...result }, ...rest }) => ({ ...rest, result }))

describe('plan', () => {
  it('is every combination, methods changing fastest', () => {
    const jobs = plan({
      ...SMALL,
      options: { lambda: [1, 2] },
      methods: ['rvfl', { method: 'rvfl', label: 'other', options: { groups: 3 } }],
    })
    expect(jobs).toHaveLength(1 * 2 * 2 * 2 * 2)
    expect(jobs.slice(0, 4).map(({ label, job }) => [label, job.options])).toEqual([
      ['rvfl lambda=1', { lambda: 1 }],
      ['other lambda=1', { groups: 3, lambda: 1 }],
      ['rvfl lambda=2', { lambda: 2 }],
      ['other lambda=2', { groups: 3, lambda: 2 }],
    ])
    expect(new Set(jobs.map(({ job }) => job.seed))).toEqual(new Set([1, 2]))
  })

  it('lets the values that are tried win over those of a method', () => {
    const methods = [{ method: 'rvfl', options: { ridge: 5, groups: 3 } }]
    const [{ job }] = plan({ ...SMALL, methods, options: { ridge: [1] } })
    expect(job.options).toEqual({ ridge: 1, groups: 3 })
  })

  it('names files by their name and modules by theirs', () => {
    const [job] = plan({ streams: ['data/plant.csv.gz'], methods: ['./mine.ts'], rho: [0], repeats: 1 })
    expect(job).toMatchObject({ streamName: 'plant', label: 'mine' })
  })

  it('names modules by their path where the short name is taken', () => {
    const methods = ['a/mine.ts', 'b/mine.ts', 'arf', './arf.ts', 'c/other.ts']
    const labels = plan({ streams: ['dive'], methods, rho: [0], repeats: 1 }).map(({ label }) => label)
    expect(labels).toEqual(['a/mine.ts', 'b/mine.ts', 'arf', './arf.ts', 'other'])
  })
})

describe('the built-in experiments', () => {
  it('are the paper’s', () => {
    const jobs = plan(tableExperiment(['dive']))
    expect(jobs).toHaveLength(tableMethods().length * 9 * 3)
    for (const method of [
      'ob-adwin',
      'oadac2',
      'cpssds',
      'arf',
      'srp',
      'roale-di',
      'rvfl',
      'rvfl-hddm-np',
      'pb-oel',
      'no-change',
      'majority',
    ]) {
      expect(tableMethods()).toContain(method)
    }
    expect(new Set(jobs.map(({ job }) => job.rho))).toEqual(new Set(PAPER.rho))
    expect(new Set(jobs.map(({ job }) => job.seed))).toEqual(new Set([1, 2, 3]))
    const panels = plan(landscapeExperiment(['dive']))
    expect(panels).toHaveLength(6 * 11 * 3)
    const tried = (name: string) => [...new Set(panels.map(({ variant }) => variant[name]))]
    expect(tried('c')).toEqual([0.05, 0.1, 0.5, 1, 5, 10])
    expect(tried('alpha')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tenth) => tenth / 10))
    expect([...new Set(panels.map(({ job }) => job.rho))]).toEqual([0, 0.1, 0.5])
    expect([...new Set(plan(boundsExperiment(['dive'])).map(({ job }) => job.rho))]).toEqual([0, 0.1, 1])
    const suite = plan(suiteExperiment(['dive']))
    expect([...new Set(suite.map(({ job }) => job.rho))]).toEqual([0, 0.05, 1])
    expect([...new Set(suite.map(({ label }) => label))]).toEqual(tableMethods().filter((name) => name !== 'majority'))
    expect(tableMethods()).not.toContain('flip')
    expect(tableMethods()).not.toContain('pb-oel-standard')
    expect(
      plan(boundsExperiment(['dive'], { rho: [0] }))
        .map(({ label }) => label)
        .slice(0, 3),
    ).toEqual(['pb-oel-standard', 'pb-oel-scaled', 'pb-oel'])
  })

  it('pass their own check, as files would', () => {
    for (const experiment of reproduction(['dive'])) {
      const checked = checkExperiments(JSON.parse(JSON.stringify(experiment)), 'x.json')
      expect(plan(checked.parts[0])).toEqual(plan(experiment))
    }
  })
})

describe('keys', () => {
  const job: Job = { stream: { address: 'dive' }, method: 'pb-oel', options: { c: 1, alpha: 0.5 }, rho: 0, seed: 1 }

  it('do not depend on the order of fields, but on everything else', () => {
    expect(jobKey({ ...job, options: { alpha: 0.5, c: 1 } })).toBe(jobKey(job))
    const others: Job[] = [
      { ...job, stream: { address: 'sea' } },
      { ...job, stream: { address: 'dive', samples: 5 } },
      { ...job, method: 'rvfl' },
      { ...job, options: { c: 1 } },
      { ...job, rho: 0.1 },
      { ...job, seed: 2 },
    ]
    expect(new Set([job, ...others].map(jobKey)).size).toBe(7)
  })

  it('take files by content, not by name', () => {
    const key = (name: string, content: string) => jobKey({ ...job, stream: { address: folder.write(name, content) } })
    expect(key('a.csv', '1,0\n')).toBe(key('b.csv', '1,0\n'))
    expect(key('c.csv', '1,1\n')).not.toBe(key('b.csv', '1,0\n'))
  })

  it('the version of the code is that of core, of the streams and of how jobs run, without their tests', () => {
    const root = join(import.meta.dirname, '../../..')
    const files = codeFiles().map((file) => relative(root, file).replaceAll('\\', '/'))
    for (const file of [
      'core/src/pb-oel-plus/pb-oel-plus.ts',
      'core/src/rvfl/kernel/twin.ts',
      'lab/src/streams/csv.ts',
      'lab/src/job/run.ts',
    ])
      expect(files).toContain(file)
    expect(files.filter((file) => /test|testing/.test(file))).toEqual([])
    expect(files).toEqual(files.toSorted())
  })

  it('the version of the code is the same each time', () => {
    expect(codeVersion()).toMatch(/^[0-9a-f]{16}$/)
    expect(codeVersion()).toBe(codeVersion())
  })
})

describe('running', () => {
  it('gives the same numbers with one worker, with three, and from the store', async () => {
    const [one] = await runExperiments([SMALL], { workers: 1, store: freshStore() })
    const store = freshStore()
    const [three] = await runExperiments([SMALL], { workers: 3, store })
    expect(figures(three)).toEqual(figures(one))
    const seen: ExperimentProgress[] = []
    const [again] = await runExperiments([SMALL], { store, onProgress: (progress) => seen.push(progress) })
    expect(again).toEqual(three)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ done: 12, stored: 12, total: 12, secondsLeft: 0 })
  })

  it('runs what experiments share once, and reports progress', async () => {
    const seen: ExperimentProgress[] = []
    const half = { ...SMALL, rho: [0.5], methods: ['rvfl'] }
    const [all, some] = await runExperiments([SMALL, half], {
      store: freshStore(),
      onProgress: (progress) => seen.push(progress),
    })
    expect(seen.at(-1)).toMatchObject({ done: 12, total: 12, stored: 0 })
    expect(seen.at(-1)?.best?.accuracy).toBeGreaterThan(0.5)
    expect(some).toEqual(all.filter(({ label, job }) => label === 'rvfl' && job.rho === 0.5))
  })

  it('stops when told to, keeps what is done, and goes on from there', async () => {
    const store = freshStore()
    const controller = new AbortController()
    const stopped = runExperiments([SMALL], {
      workers: 1,
      store,
      signal: controller.signal,
      onProgress: ({ done }) => done === 5 && controller.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    const [file] = readdirSync(store)
    // What another version of the code has found is another file.
    expect(file).toBe(`${codeVersion()}.ndjson`)
    expect(readFileSync(join(store, file), 'utf8').trim().split('\n')).toHaveLength(5)
    const seen: ExperimentProgress[] = []
    const [rest] = await runExperiments([SMALL], { store, onProgress: (progress) => seen.push(progress) })
    expect(seen[0].stored).toBe(5)
    expect(figures(rest)).toEqual(figures((await runExperiments([SMALL], { store: freshStore() }))[0]))
  })

  it('refuses wrong options, streams and methods before anything runs', async () => {
    const seen: ExperimentProgress[] = []
    const attempt = ({ streams = [], methods = [] }: Partial<Experiment>) => {
      const wrong = { streams: [...SMALL.streams, ...streams], methods: ['no-change', ...methods] }
      return runExperiments([{ ...SMALL, ...wrong }], {
        ...{ store: freshStore(), onProgress: (progress) => seen.push(progress) },
      })
    }
    await expect(attempt({ methods: [{ method: 'pb-oel', options: { c: -1 } }] })).rejects.toThrow(OptionError)
    await expect(attempt({ streams: ['none.csv'] })).rejects.toThrow('no such file')
    await expect(attempt({ methods: ['magic'] })).rejects.toThrow('one of pb-oel')
    await expect(attempt({ methods: ['./none.ts'] })).rejects.toThrow('no such file')
    expect(seen).toEqual([])
  })

  it('records how a run went over time', async () => {
    const [[pbOel, rvfl]] = await runExperiments([{ ...SMALL, rho: [0.5], methods: ['pb-oel', 'rvfl'], repeats: 1 }], {
      store: freshStore(),
    })
    expect(pbOel.samples).toBe(400)
    expect(pbOel.trace.samples.slice(0, 3)).toEqual([2, 4, 6])
    expect(pbOel.trace.accuracy.at(-1)).toBeCloseTo(pbOel.result.accuracy, 5)
    expect(pbOel.trace.bound.at(-1)).toBeCloseTo(pbOel.result.bound.value as number, 5)
    expect(pbOel.trace.drifts.at(-1)).toBe(pbOel.result.drifts)
    expect(rvfl.trace.bound).toEqual([])
  })
})

describe('progress', () => {
  const planned = (label: string) => plan({ streams: ['dive'], methods: [label], rho: [0], repeats: 2 })
  /** A run of 1,000 samples. */
  const ran = (accuracy: number, samplesPerSecond: number): JobResult => {
    const { job: _, streamName, label, variant, ...rest } = madeUpResult({ accuracy })
    return { ...rest, result: { ...rest.result, samplesPerSecond } }
  }

  it('estimates what is left from what each method has taken, and names the best that is no baseline', () => {
    const jobs = [...planned('arf'), ...planned('srp'), ...planned('no-change')]
    const meter = new ProgressMeter(jobs, 2)
    expect(meter.report()).toMatchObject({ done: 0, total: 6, secondsLeft: undefined, best: undefined })
    meter.add(jobs[0], ran(0.7, 100), true)
    // Ten seconds for each of five others, by two threads; nothing was run now.
    expect(meter.report()).toMatchObject({ done: 1, stored: 1, rate: 0, secondsLeft: 25 })
    meter.add(jobs[2], ran(0.8, 500), false)
    meter.add(jobs[4], ran(0.9, 1000), false)
    // 10 + 2 + 1 by two threads.
    expect(meter.report()).toMatchObject({
      done: 3,
      stored: 1,
      secondsLeft: 6.5,
      best: { label: 'srp', accuracy: 0.8 },
    })
    expect(meter.report().rate).toBeGreaterThan(0)
  })
})

describe('the store', () => {
  const result = { samples: 1, result: { accuracy: 1 }, trace: {} } as never

  it('survives lines cut short anywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (cut) => {
        const path = freshStore()
        const store = new ResultStore(path, 'v')
        store.put('a', result)
        const line = JSON.stringify({ key: 'b', ...(result as object) })
        appendFileSync(join(path, 'v.ndjson'), line.slice(0, Math.min(cut, line.length - 1)))
        const next = new ResultStore(path, 'v')
        expect(next.get('b')).toBeUndefined()
        next.put('c', result)
        const last = new ResultStore(path, 'v')
        expect([last.get('a'), last.get('c')]).toEqual([result, result])
      }),
      { numRuns: 30 },
    )
  })

  it('keeps versions of the code apart, and says when it cannot be used', () => {
    const path = freshStore()
    new ResultStore(path, 'one').put('a', result)
    expect(new ResultStore(path, 'two').get('a')).toBeUndefined()
    expect(() => new ResultStore(folder.write('file', ''), 'v')).toThrow(DataError)
  })
})

describe('experiments from files', () => {
  it('reads JSON and modules, and takes paths from where the file is', async () => {
    const file = folder.write(
      'e.json',
      JSON.stringify({ title: 'T', streams: ['plant.csv', 'dive'], methods: ['pb-oel', './own.ts'], rho: [0, 1] }),
    )
    const { title, parts } = await loadExperiment(file)
    expect(title).toBe('T')
    expect(parts[0].streams).toMatchObject([{ address: join(folder.path, 'plant.csv') }, { address: 'dive' }])
    expect(parts[0].methods).toMatchObject([{ method: 'pb-oel' }, { method: join(folder.path, 'own.ts') }])
    const module = folder.write(
      'e.ts',
      `export default { title: 'Two', parts: [{ streams: ['sea'], methods: ['rvfl'], rho: [0.5] }] }\n`,
    )
    expect((await loadExperiment(module)).parts[0].rho).toEqual([0.5])
  })

  const GOOD = { streams: ['dive'], methods: ['pb-oel'], rho: [0] }
  it.each([
    [{ ...GOOD, rho: [2] }, 'rho[0]'],
    [{ ...GOOD, rho: [] }, 'option rho'],
    [{ ...GOOD, methods: ['magic'] }, 'methods[0].method'],
    [{ ...GOOD, methods: [{ method: 'rvfl', colour: 1 }] }, 'methods[0].colour'],
    [{ ...GOOD, streams: [{ samples: 3 }] }, 'streams[0].address'],
    [{ ...GOOD, repeats: 0 }, 'repeats'],
    [{ ...GOOD, seed: -1 }, 'seed'],
    [{ ...GOOD, show: ['everything'] }, 'show[0]'],
    [{ ...GOOD, options: { c: 3 } }, 'options.c'],
    [{ ...GOOD, stream: 'dive' }, 'option stream'],
    [{ title: 'x', parts: [GOOD, {}] }, 'parts[1].streams'],
    [7, 'experiment'],
  ])('refuses %j and names the field', (value, field) => {
    expect(() => checkExperiments(value, 'x.json')).toThrow(OptionError)
    expect(() => checkExperiments(value, 'x.json')).toThrow(field)
  })

  it('refuses files that are no experiment', async () => {
    await expect(loadExperiment(join(folder.path, 'none.json'))).rejects.toThrow('no such file')
    await expect(loadExperiment(folder.write('bad.json', '{'))).rejects.toThrow('not JSON')
    await expect(loadExperiment(folder.write('bad.ts', 'export const x = 1\n'))).rejects.toThrow('no default export')
    writeFileSync(join(folder.path, 'throws.ts'), 'throw new Error("boom")\n')
    await expect(loadExperiment(join(folder.path, 'throws.ts'))).rejects.toThrow('boom')
  })

  it('never accepts rubbish', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => checkExperiments(value, 'x.json')).toThrow(OptionError)
      }),
    )
  })
})
