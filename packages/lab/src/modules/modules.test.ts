import { join } from 'node:path'
import { ExtensionError } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import type { Experiment } from '../experiment/experiment.ts'
import { type ExperimentResult, runExperiments } from '../experiment/run-experiments.ts'
import { jobKey } from '../job/fingerprint.ts'
import type { Job } from '../job/job.ts'
import { jobModules } from '../job/job-modules.ts'
import { loadStream, openStream } from '../streams/open-stream.ts'
import { splitAddress, streamModules } from '../streams/stream-address.ts'
import { testFolder } from '../testing/folder.ts'
import { loadExtensions } from './load-extensions.ts'
import { moduleHash } from './module-hash.ts'
import { isModule, modulesWithin, moduleTitle } from './module-name.ts'

const folder = testFolder()
const fixture = (name: string) => join(import.meta.dirname, 'testing', `${name}.ts`)
const [PARROT, MINE, BAYES, WAVES] = ['parrot', 'mine', 'bayes', 'waves'].map(fixture)

describe('names of modules', () => {
  it('end in an extension or have a scope', () => {
    for (const name of ['./a.ts', 'b.mts', '/c/d.js', '..\\e.MJS', '@acme/parrot', '@acme/parrot/sub']) {
      expect(isModule(name)).toBe(true)
    }
    for (const name of ['pb-oel', 'plant.csv', 'data/plant.csv', 'ts', '@acme', 'a b@c/d']) {
      expect(isModule(name)).toBe(false)
    }
    expect([moduleTitle('./a/mine.ts'), moduleTitle('@acme/parrot')]).toEqual(['mine', '@acme/parrot'])
  })

  it('are found in addresses and within options', () => {
    expect(splitAddress('./waves.ts:seed=3,samples=5')).toEqual({ name: './waves.ts', settings: 'seed=3,samples=5' })
    expect(splitAddress('C:\\waves.ts:seed=3')).toEqual({ name: 'C:\\waves.ts', settings: 'seed=3' })
    expect(splitAddress('dive:seed=3')).toEqual({ name: 'dive', settings: 'seed=3' })
    expect(splitAddress('a.ts.csv')).toEqual({ name: 'a.ts.csv', settings: '' })
    expect(streamModules('abrupt:at=5+./waves.ts:seed=3+sea')).toEqual(['./waves.ts'])
    expect(
      modulesWithin({ detector: './mine.ts', members: [{ kind: '@a/b' }, { kind: 'persistence' }], c: 1 }),
    ).toEqual(['./mine.ts', '@a/b'])
  })
})

describe('loadExtensions', () => {
  it('finds methods, detectors, learners and streams by the path given', async () => {
    const { methods, detectors, learners, streams } = await loadExtensions([PARROT, MINE, BAYES, WAVES, WAVES])
    expect(methods?.[PARROT].name).toBe('parrot')
    expect(detectors?.[MINE].name).toBe('mine')
    expect(learners?.[BAYES].name).toBe('bayes')
    expect(streams?.[WAVES].name).toBe('waves')
  })

  it('says when a module is missing, throws or exports something else', async () => {
    const load = (name: string, text: string) => loadExtensions([folder.write(name, text)])
    await expect(loadExtensions(['./none.ts'])).rejects.toThrow('./none.ts: no such file')
    await expect(loadExtensions(['@acme/none'])).rejects.toThrow('@acme/none: no such package')
    await expect(load('throws.mjs', 'throw new Error("boom")')).rejects.toThrow(DataError)
    await expect(load('throws.mjs', 'throw new Error("boom")')).rejects.toThrow('cannot be loaded: boom')
    await expect(load('three.js', 'export default 3')).rejects.toThrow(ExtensionError)
  })

  it('finds packages from the working directory', async () => {
    // It is found, but is no extension.
    await expect(loadExtensions(['@pb-oel/core'])).rejects.toThrow(ExtensionError)
  })
})

describe('streams from modules', () => {
  it('are opened with settings, also within drift', async () => {
    expect((await loadStream(`${WAVES}:seed=3,samples=50`)).samples).toBe(50)
    expect((await loadStream(WAVES, { samples: 70 })).samples).toBe(70)
    expect((await loadStream(`abrupt:at=20+${WAVES}:samples=40+${WAVES}:samples=40,seed=2`)).samples).toBe(40)
    await expect(loadStream(`${WAVES}:sed=3`)).rejects.toThrow('did you mean seed')
    await expect(loadStream(PARROT)).rejects.toThrow('parrot.ts')
    expect(() => openStream(WAVES)).toThrow('loadStream')
  })
})

describe('keys of jobs with modules', () => {
  const job: Job = { stream: { address: 'dive' }, method: 'pb-oel', rho: 0, seed: 1 }

  it('depend on the content, not on the path, wherever the module stands', () => {
    const [a, b, c] = [1, 1, 2].map((value, i) => folder.write(`module-${i}.js`, `export default ${value}\n`))
    const keys = (change: (module: string) => Partial<Job>) =>
      [a, b, c].map((path) => jobKey({ ...job, ...change(path) }))
    for (const change of [
      (module: string) => ({ method: module }),
      (module: string) => ({ options: { members: [{ kind: module }] } }),
      (module: string) => ({ stream: { address: `abrupt:at=9+${module}:seed=3+sea` } }),
    ]) {
      const [first, second, third] = keys(change)
      expect(second).toBe(first)
      expect(third).not.toBe(first)
    }
  })

  it('depend on what the module imports by a relative path', () => {
    folder.write('helper.js', 'export const n = 1\n')
    const name = folder.write('uses-helper.js', "import { n } from './helper.js'\nexport default n\n")
    const before = moduleHash(name)
    folder.write('helper.js', 'export const n = 2\n')
    expect(moduleHash(name)).not.toBe(before)
  })

  it('list every module once it is named', () => {
    const options = { detector: MINE, members: [{ kind: BAYES }] }
    expect(jobModules({ ...job, method: PARROT, options, stream: { address: `${WAVES}:seed=2` } })).toEqual([
      PARROT,
      WAVES,
      MINE,
      BAYES,
    ])
  })
})

describe('running modules', () => {
  const experiment: Experiment = {
    streams: [`${WAVES}:samples=600`],
    methods: [
      PARROT,
      'pb-oel',
      { method: 'pb-oel', options: { networks: 2, detector: MINE } },
      { method: 'pb-oel', options: { networks: 2, members: [{ kind: BAYES }] } },
    ],
    rho: [0.5],
    repeats: 1,
  }
  const figures = (results: ExperimentResult[]) =>
    results.map(({ label, result: { samplesPerSecond: _, ...result } }) => ({ label, result }))

  it('gives the same on worker threads and in this thread', async () => {
    const [here] = await runExperiments([experiment], { workers: 0, store: false })
    const [threads] = await runExperiments([experiment], { workers: 2, store: false })
    expect(figures(threads)).toEqual(figures(here))
    expect(here.map(({ label }) => label)).toEqual([
      'parrot',
      'pb-oel',
      'pb-oel networks=2 detector=mine',
      'pb-oel networks=2 members=[{"kind":"bayes"}]',
    ])
    for (const { result } of here) expect(result.accuracy).toBeGreaterThan(0.5)
  })

  it('refuses a detector where a method should be, and a missing one, before anything runs', async () => {
    const progress: unknown[] = []
    const attempt = (method: Experiment['methods'][number]) =>
      runExperiments([{ ...experiment, methods: ['no-change', method] }], {
        ...{ store: false, onProgress: (seen) => progress.push(seen) },
      })
    await expect(attempt(MINE)).rejects.toThrow('one of pb-oel')
    await expect(attempt({ method: 'pb-oel', options: { detector: './none.ts' } })).rejects.toThrow(
      './none.ts: no such file',
    )
    expect(progress).toEqual([])
  })
})
