import { describe, expect, it } from 'vitest'
import { type DriftDetector, defineDetector } from './drift/detector.ts'
import { DETECTORS } from './drift/detectors.ts'
import { ExtensionError, OptionError, SnapshotError } from './errors.ts'
import { extensionsOf } from './extensions.ts'
import { laws, subjectOf } from './laws/assessor-laws.ts'
import { playRounds } from './laws/task.ts'
import { defineLearner } from './learners/learner.ts'
import { NaiveBayes } from './learners/naive-bayes.ts'
import { defineMethod, type Method } from './method.ts'
import { createAssessor, findMethod, restoreAssessor } from './methods.ts'
import { option } from './options/option.ts'
import { readOptions } from './options/option-table.ts'
import { PbOel } from './pb-oel/pb-oel.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions, RIVAL_OPTIONS } from './rivals/base/epsilon-greedy.ts'
import type { StateIo } from './state/state-io.ts'
import { dive } from './streams/dive.ts'
import { defineStream } from './streams/stream.ts'
import { obey } from './testing/obey.ts'

/** What an outsider writes: an assessor that says the level that was taught last. */
class Parrot extends EpsilonGreedyAssessor {
  private last = 0

  constructor(options: EpsilonGreedyOptions) {
    super(PARROT, options)
    this.warmUp()
  }

  protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
    out.fill(0)
    out[this.last] = 1
    votes[0] = this.last
  }

  protected teach(_x: Float64Array, level: number): void {
    this.last = level
  }

  protected transferModel(io: StateIo): void {
    this.last = io.number(this.last)
  }
}

const PARROT: Method<Parrot> = defineMethod({
  name: 'parrot',
  title: 'Parrot',
  role: 'baseline',
  summary: 'says the level that was taught last',
  options: RIVAL_OPTIONS,
  make: (options) => new Parrot(options),
})

/** Signals drift after every `period` values. */
class Metronome implements DriftDetector {
  private count = 0
  private readonly period: number

  constructor(options: { period?: number } = {}) {
    this.period = readOptions(METRONOME_OPTIONS, options).period
  }

  update(): 'none' | 'drift' {
    this.count = (this.count + 1) % this.period
    return this.count === 0 ? 'drift' : 'none'
  }

  reset(): void {
    this.count = 0
  }

  transfer(io: StateIo): void {
    this.count = io.number(this.count)
  }
}

const METRONOME_OPTIONS = {
  period: option.integer({ from: 1, to: 100, default: 7, about: 'Values until drift.' }),
}

const METRONOME = defineDetector({
  name: 'metronome',
  title: 'Metronome',
  summary: 'drift at regular intervals',
  options: METRONOME_OPTIONS,
  create: (options) => new Metronome(options),
})

const LEARNER = defineLearner({
  name: 'own-bayes',
  title: 'own Bayes',
  summary: 'naive Bayes',
  options: {},
  create: (shape) => new NaiveBayes(shape),
})

const STREAM = defineStream({ name: 'own-dive', summary: 'a dive', options: {}, create: () => dive({ samples: 10 }) })

const MODULES = {
  './parrot.ts': { default: PARROT },
  './metronome.ts': { default: METRONOME },
  './bayes.ts': { default: LEARNER },
  './waves.ts': { default: STREAM },
}
const extensions = extensionsOf(MODULES)
const TASK = { channels: 4, levels: 3, seed: 1 }
const SMALL = { networks: 2, groups: 2, nodes: 4 }

describe('extensionsOf', () => {
  it('sorts modules by what they export, under their path', () => {
    expect(extensions.methods).toEqual({ './parrot.ts': PARROT })
    expect(extensions.detectors).toEqual({ './metronome.ts': METRONOME })
    expect(extensions.learners).toEqual({ './bayes.ts': LEARNER })
    expect(extensions.streams).toEqual({ './waves.ts': STREAM })
    expect(extensionsOf({})).toEqual({})
  })

  it.each([
    [undefined, 'has no entry'],
    [{}, 'has no entry'],
    [{ default: () => 1 }, 'has no entry'],
    [{ default: { name: 'x' } }, 'has the type undefined; make it with defineMethod'],
    [{ default: { type: 'method', name: 'x', create: Math.abs, options: {} } }, 'the method has no function restore'],
    [{ default: { type: 'detector', name: 'x', options: {} } }, 'the detector has no function create'],
    [{ default: { type: 'stream', options: {}, create: Math.abs } }, 'the stream has no name'],
    [{ default: { type: 'learner', name: 'x', create: Math.abs } }, 'the learner has no option table'],
    [{ default: { ...PARROT, name: 'pb-oel' } }, 'there is another method with the name pb-oel'],
  ])('refuses %o', (module, problem) => {
    expect(() => extensionsOf({ './x.ts': module })).toThrow(ExtensionError)
    expect(() => extensionsOf({ './x.ts': module })).toThrow(`module ./x.ts: `)
    expect(() => extensionsOf({ './x.ts': module })).toThrow(problem)
  })

  it('refuses two different entries of one name, but not one entry by two paths', () => {
    const twin = { default: { ...PARROT } }
    expect(() => extensionsOf({ './a.ts': { default: PARROT }, './b.ts': twin })).toThrow(
      'module ./b.ts: there is another',
    )
    expect(
      Object.keys(extensionsOf({ './a.ts': { default: PARROT }, '../a.ts': { default: PARROT } }).methods ?? {}),
    ).toHaveLength(2)
  })

  it.each([
    { ...PARROT, name: 'pb-oel' },
    { ...METRONOME, name: 'adwin' },
    { ...LEARNER, name: 'naive-bayes' },
    { ...STREAM, name: 'dive' },
  ])('refuses a $type of a name that is taken', (entry) => {
    const message = `there is another ${entry.type} with the name ${entry.name}`
    expect(() => extensionsOf({ './x.ts': { default: entry } })).toThrow(message)
    expect(() => extensionsOf({ './x.ts': { default: { ...entry, name: 'free' } } })).not.toThrow()
  })
})

describe('a method from outside', () => {
  obey(laws(subjectOf(PARROT)))

  it('is made by its path and restored by the name in its snapshot', () => {
    const assessor = createAssessor('./parrot.ts', TASK, {}, extensions)
    expect(findMethod('./parrot.ts', extensions)).toBe(PARROT)
    playRounds(assessor, 50, 1)
    const restored = restoreAssessor(assessor.snapshot(), extensions)
    expect(restored).toBeInstanceOf(Parrot)
    expect(playRounds(restored, 50, 2, 50)).toEqual(playRounds(assessor, 50, 2, 50))
  })

  it('is not found without the extensions, and the message says so', () => {
    const bytes = createAssessor('./parrot.ts', TASK, {}, extensions).snapshot()
    expect(() => restoreAssessor(bytes)).toThrow(SnapshotError)
    expect(() => restoreAssessor(bytes)).toThrow('snapshot of parrot')
    expect(() => createAssessor('./parrot.ts', TASK)).toThrow(
      'option method is "./parrot.ts"; it must be one of pb-oel',
    )
  })
})

describe('the detector of the networks', () => {
  it.each(DETECTORS)('can be $name, and its state survives a snapshot', (detector) => {
    const assessor = new PbOel({ ...TASK, ...SMALL, detector: detector.name, pending: 128 })
    playRounds(assessor, 300, 1)
    const restored = restoreAssessor(assessor.snapshot())
    expect(playRounds(restored, 200, 2, 300)).toEqual(playRounds(assessor, 200, 2, 300))
  })

  it('is HDDM_A with the significance `drift` unless another is named', () => {
    const usual = new PbOel({ ...TASK, ...SMALL, drift: 0.01, pending: 128 })
    const named = new PbOel({ ...TASK, ...SMALL, detector: { kind: 'hddm-a', drift: 0.01 }, pending: 128 })
    expect(playRounds(named, 500, 1)).toEqual(playRounds(usual, 500, 1))
  })

  it('can come from outside, with its own options', () => {
    const options = { ...SMALL, detector: { kind: './metronome.ts', period: 5 }, pending: 128 }
    const assessor = createAssessor('pb-oel', TASK, options, extensions)
    const drifts = playRounds(assessor, 200, 1).filter(({ drifts }) => drifts.includes(1)).length
    expect(drifts).toBeGreaterThan(10)
    const restored = restoreAssessor(assessor.snapshot(), extensions)
    expect(playRounds(restored, 100, 2, 200)).toEqual(playRounds(assessor, 100, 2, 200))
    expect(() => restoreAssessor(assessor.snapshot())).toThrow('option detector is "./metronome.ts"')
    expect(() => restoreAssessor(assessor.snapshot())).toThrow('or a detector among the given extensions')
  })

  it('watches a plain network too when it is named', () => {
    const watched = createAssessor('rvfl', TASK, { detector: './metronome.ts', pending: 128 }, extensions)
    const plain = createAssessor('rvfl', TASK, { pending: 128 })
    const count = (drifting: ReturnType<typeof playRounds>) => drifting.filter(({ drifts }) => drifts[0] === 1).length
    expect(count(playRounds(watched, 200, 1))).toBeGreaterThan(5)
    expect(count(playRounds(plain, 200, 1))).toBe(0)
  })

  it.each([
    ['oracle', 'option detector is "oracle"; it must be one of hddm-a'],
    [{ kind: 'adwin', delta: 7 }, 'option detector.delta is 7'],
    [{ kind: 'adwin', detla: 1 }, 'option detector.detla is not known; did you mean delta?'],
    [7, 'option detector is 7; it must be a name of a detector'],
  ])('refuses %j', (detector, message) => {
    expect(() => new PbOel({ ...TASK, detector: detector as never })).toThrow(OptionError)
    expect(() => new PbOel({ ...TASK, detector: detector as never })).toThrow(message)
  })

  it('refuses a significance beside a detector that has its own', () => {
    expect(() => new PbOel({ ...TASK, detector: 'adwin', drift: 0.1 })).toThrow(
      'option drift is 0.1; it must be left out',
    )
    expect(() => new PbOel({ ...TASK, detector: 'adwin', drift: false })).not.toThrow()
  })

  it.each([true, false])('is told errors where it is binary (%s), losses otherwise', (binary) => {
    const told: number[] = []
    const silent: DriftDetector = {
      update: (value) => {
        told.push(value)
        return 'none'
      },
      reset: () => undefined,
      transfer: () => undefined,
    }
    const spy = defineDetector({ ...METRONOME, name: 'spy', options: {}, binary, create: () => silent })
    const assessor = new PbOel({ ...TASK, ...SMALL, detector: 'spy', pending: 128 }, { detectors: { spy } })
    playRounds(assessor, 60, 1)
    expect(told.length).toBeGreaterThan(20)
    expect(told.every((value) => value === 0 || value === 1)).toBe(binary)
    expect(told.every((value) => value >= 0 && value <= 1)).toBe(true)
  })
})

describe('members from outside', () => {
  it('are learners by their path', () => {
    const options = { networks: 0, members: [{ kind: './bayes.ts' }], pending: 128 }
    const assessor = createAssessor('pb-oel', TASK, options, extensions)
    const built = createAssessor('pb-oel', TASK, { ...options, members: [{ kind: 'naive-bayes' }] })
    expect(playRounds(assessor, 300, 1)).toEqual(playRounds(built, 300, 1))
    const restored = restoreAssessor(assessor.snapshot(), extensions)
    expect(playRounds(restored, 50, 2, 300)).toEqual(playRounds(assessor, 50, 2, 300))
    expect(() => restoreAssessor(assessor.snapshot())).toThrow('option members[0].kind is "./bayes.ts"')
  })
})
