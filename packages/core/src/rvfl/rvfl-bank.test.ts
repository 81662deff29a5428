import { describe, expect, it } from 'vitest'
import { ADWIN } from '../drift/adwin.ts'
import { DDM } from '../drift/ddm.ts'
import { KNOWN_DETECTORS } from '../drift/known-detectors.ts'
import { OptionError } from '../errors.ts'
import { copyState } from '../laws/law.ts'
import { Random } from '../math/random.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { RobustScaler } from '../scaling/robust-scaler.ts'
import { type SampleScaler, Scaler } from '../scaling/scaler.ts'
import { normaliseOutputs } from './confidence.ts'
import { drawInputWeights } from './features.ts'
import { createKernel } from './kernel/create.ts'
import type { Monitoring } from './monitoring.ts'
import { RVFL_OPTIONS, rvflSettings } from './options.ts'
import { RvflBank, type RvflBankSettings } from './rvfl-bank.ts'

const [NETWORKS, CHANNELS, LEVELS] = [3, 2, 3]

const settingsOf = (options: Partial<OptionsOf<typeof RVFL_OPTIONS>> = {}) =>
  rvflSettings(
    readOptions(RVFL_OPTIONS, { channels: CHANNELS, levels: LEVELS, groups: 2, nodes: 2, buffer: 5, ...options }),
    NETWORKS,
  )

/** Monitors that signal drift when told to, and note what they hear, network by network. */
function scriptedMonitors(binary: boolean, drifts: (network: number, count: number) => boolean) {
  const heard: number[][] = []
  const create: Monitoring['create'] = () => {
    const network = heard.push([]) - 1
    let count = 0
    return {
      update(value) {
        heard[network].push(value)
        return drifts(network % NETWORKS, ++count) ? 'drift' : 'none'
      },
      reset() {},
      transfer(io) {
        count = io.number(count)
      },
    }
  }
  return { heard, monitor: { binary, create } }
}

/** The networks of a bank written out one by one: nothing is kept but what they learn and the samples of a refit. */
class WrittenOut {
  readonly heard: number[][] = Array.from({ length: NETWORKS }, () => [])
  readonly drifts = new Uint8Array(NETWORKS)
  private readonly kernels
  private readonly buffer: { x: Float64Array; level?: number; rejected?: number }[] = []
  private readonly settings: RvflBankSettings
  private readonly scaler: SampleScaler
  private readonly drifted: (network: number, count: number) => boolean

  constructor(settings: RvflBankSettings, scaler: SampleScaler, drifted: (network: number, count: number) => boolean) {
    const { channels, levels, groups, nodes, ridge, forgetting, seed, warmUp } = settings
    const random = new Random(seed, 'weights')
    this.kernels = Array.from({ length: NETWORKS }, () => {
      const kernel = createKernel({ experts: 1, channels, nodes: groups * nodes, levels, ridge, forgetting })
      const { weights, biases } = drawInputWeights(random, channels, groups, nodes)
      kernel.setInputWeights(0, weights, biases)
      return kernel
    })
    this.settings = settings
    this.scaler = scaler
    this.drifted = drifted
    for (const { x } of warmUp) scaler.feed(Float64Array.from(x), true)
    for (const { x, level } of warmUp) {
      this.buffer.push({ x: Float64Array.from(x), level })
      for (let n = 0; n < NETWORKS; n++) this.train(n, Float64Array.from(x), level)
    }
  }

  confidences(n: number, x: Float64Array): Float64Array {
    const z = new Float64Array(CHANNELS)
    this.scaler.scale(x, z)
    this.kernels[n].forward(z)
    const out = new Float64Array(LEVELS)
    normaliseOutputs(this.kernels[n].outputs, out, 0, LEVELS, this.settings.confidence)
    return out
  }

  vote(n: number): number {
    const { outputs } = this.kernels[n]
    return outputs.indexOf(Math.max(...outputs))
  }

  /** One update: towards the level, or away from the rejected one. */
  private train(n: number, x: Float64Array, level?: number, rejected?: number): void {
    const targets = this.confidences(n, x)
    if (level !== undefined) targets.fill(0)[level] = 1
    if (rejected !== undefined) targets[rejected] = this.settings.penalty as number
    this.kernels[n].update(targets)
  }

  learn(x: Float64Array, { level, rejected }: { level?: number; rejected?: number }): void {
    const { penalty, hearsRejections, monitor, buffer } = this.settings
    if (rejected !== undefined && penalty === false) return
    const listens = level !== undefined || hearsRejections
    if (listens) this.buffer.push({ x, level, rejected })
    for (let n = 0; n < NETWORKS; n++) {
      const before = this.confidences(n, x)
      const vote = this.vote(n)
      this.train(n, x, level, rejected)
      if (!listens || !monitor) continue
      const right = level === undefined ? (1 - before[rejected ?? -1]) / (LEVELS - 1) : before[level]
      const agrees = level === undefined ? vote !== rejected : vote === level
      this.heard[n].push(monitor.binary ? (agrees ? 0 : 1) : 1 - right)
      if (!this.drifted(n, this.heard[n].length)) continue
      this.drifts[n] = 1
      this.kernels[n].reset(0)
      for (const one of this.buffer.slice(-buffer)) this.train(n, one.x, one.level, one.rejected)
    }
    if (level !== undefined) this.scaler.feed(x, false)
  }
}

describe('a bank of networks', () => {
  const drifted = (network: number, count: number) => count % (11 + 2 * network) === 7
  const warmUp = [0, 1, 2, 2].map((level, i) => ({ x: [level + 0.1 * i, -level], level }))
  const cases: [Partial<OptionsOf<typeof RVFL_OPTIONS>>, { binary?: boolean; hearsRejections?: boolean }][] = [
    [{ scaling: 'none' }, {}],
    [{ scaling: 'running', warmUp, buffer: 12 }, { hearsRejections: true }],
    [
      { scaling: 'warm-up', warmUp, confidence: 'softmax' },
      { hearsRejections: true, binary: true },
    ],
    [
      { scaling: 'robust', penalty: false, forgetting: 0.9, seed: 5 },
      { hearsRejections: true, binary: true },
    ],
  ]

  it.each(cases)('does as its networks do one by one: %o, %o', (options, { binary = false, hearsRejections }) => {
    const { heard, monitor } = scriptedMonitors(binary, drifted)
    const settings = { ...settingsOf(options), monitor, hearsRejections }
    const scaling = settings.scaling as 'none' | 'running' | 'warm-up' | 'robust'
    const scaler = scaling === 'robust' ? new RobustScaler(CHANNELS) : new Scaler(CHANNELS, scaling)
    const expected = new WrittenOut(settings, scaler, drifted)
    let bank = new RvflBank(settings)
    const random = new Random(8, 'bank')
    const draw = () => Float64Array.from({ length: CHANNELS }, () => random.normal())
    let x = draw()
    for (let id = 0; id < 40; id++) {
      // Now and then the answer before is corrected.
      if (id % 9 !== 8) x = draw()
      const asked = id % 9 === 8 ? id - 1 : id
      bank.predict(x, asked)
      const rejects = random.integer(3) === 0
      const level = random.integer(LEVELS)
      // Now and then another assessment comes first.
      if (id % 4 === 1) bank.predict(draw(), 1000 + id)
      if (id === 20) bank = copyState(bank, new RvflBank(settings))
      if (rejects) bank.refute(x, asked, level)
      else bank.teach(x, asked, level)
      expected.learn(x, rejects ? { rejected: level } : { level })
      const probe = draw()
      bank.predict(probe, 2000 + id)
      for (let n = 0; n < NETWORKS; n++) {
        expect(bank.confidences.subarray(n * LEVELS, (n + 1) * LEVELS)).toEqual(expected.confidences(n, probe))
        expect(bank.votes[n]).toBe(expected.vote(n))
      }
      expect(bank.drifts).toEqual(expected.drifts)
    }
    const all = Array.from({ length: NETWORKS }, (_, n) => [...heard[n], ...heard[NETWORKS + n]])
    expect(all).toEqual(expected.heard)
    expect(expected.drifts).toEqual(Uint8Array.of(1, 1, 1))
  })

  it('learns the same from an answer whether or not it has just assessed the sample, by whatever number', () => {
    const samples = [0, 1, 2, 3].map((i) => Float64Array.of(i, 1 - i * i))
    const answer = (bank: RvflBank, i: number) => {
      if (i === 1) bank.refute(samples[i], 1, 0)
      else bank.teach(samples[i], 1, i % LEVELS)
    }
    let [asked, silent] = [0, 1].map(() => new RvflBank(settingsOf({ drift: false })))
    for (let i = 0; i < samples.length; i++) {
      if (i === 3)
        [asked, silent] = [asked, silent].map((bank) => copyState(bank, new RvflBank(settingsOf({ drift: false }))))
      asked.predict(samples[i], 1)
      for (const bank of [asked, silent]) answer(bank, i)
    }
    for (const bank of [asked, silent]) bank.predict(Float64Array.of(0.3, 0.4), 5)
    expect(silent.confidences).toEqual(asked.confidences)
  })

  it('computes in the arithmetic that it is told', () => {
    const [exact, relaxed] = (['auto', 'relaxed'] as const).map(
      (arithmetic) => new RvflBank(settingsOf({ arithmetic })),
    )
    expect(() => copyState(exact, relaxed)).toThrow('this kernel is relaxed')
  })

  it('without monitors is never refitted', () => {
    const settings = settingsOf({ scaling: 'none', drift: false })
    const bank = new RvflBank(settings)
    const expected = new WrittenOut(settings, new Scaler(CHANNELS, 'none'), () => false)
    const x = Float64Array.of(1, -1)
    for (let id = 0; id < 20; id++) {
      bank.teach(x, id, id % LEVELS)
      expected.learn(x, { level: id % LEVELS })
    }
    bank.predict(x, 20)
    expect(bank.confidences.subarray(0, LEVELS)).toEqual(expected.confidences(0, x))
    expect(bank.drifts).toEqual(new Uint8Array(NETWORKS))
  })
})

describe('the settings of a bank', () => {
  KNOWN_DETECTORS.add([ADWIN, DDM])
  const warmUp = [{ x: [0, 1], level: 2 }]

  it('scale by the warm-up set where there is one, else by everything learned, unless told otherwise', () => {
    const read = (options: object, plan = {}) =>
      rvflSettings(readOptions(RVFL_OPTIONS, { channels: CHANNELS, levels: LEVELS, ...options }), NETWORKS, plan)
    expect(read({}).scaling).toBe('running')
    expect(read({ warmUp })).toMatchObject({ scaling: 'warm-up', warmUp, networks: NETWORKS })
    expect(read({ warmUp, scaling: 'none' }).scaling).toBe('none')
    expect(read({ warmUp }, { otherwise: 'robust' }).scaling).toBe('robust')
    expect(read({ scaling: 'robust' }, { relative: true }).scaling).toBe('relative')
    expect(read({ scaling: 'running' }, { relative: true, hearsRejections: true })).toMatchObject({
      scaling: 'running',
      hearsRejections: true,
    })
    expect(() => read({ scaling: 'warm-up' })).toThrow('option scaling')
    expect(() => read({ warmUp: [{ x: [0], level: 0 }] })).toThrow(OptionError)
  })

  it('robust scales keep a floor, relative ones keep none', () => {
    const votes = (['robust', 'relative'] as const).map((scaling) => {
      const bank = new RvflBank({ ...settingsOf({ drift: false }), scaling })
      // Channels that vary by a millionth: lost in the floor of 0.01.
      for (let id = 0; id < 60; id++) bank.teach(Float64Array.of(1e-6 * (id % LEVELS), 0), id, id % LEVELS)
      return [0, 1, 2].map((level) => {
        bank.predict(Float64Array.of(1e-6 * level, 0), 100)
        return bank.votes[0]
      })
    })
    expect(votes[1]).toEqual([0, 1, 2])
    expect(votes[0]).not.toEqual([0, 1, 2])
  })

  it('watch networks as the options say', () => {
    const monitorOf = (options: object) => settingsOf(options).monitor
    expect(monitorOf({ drift: false })).toBeUndefined()
    expect(monitorOf({})?.binary).toBe(false)
    expect(monitorOf({ detector: 'ddm' })?.binary).toBe(true)
    expect(monitorOf({ detector: 'adwin' })?.binary).toBe(false)
    expect(() => monitorOf({ detector: 'adwin', drift: 0.01 })).toThrow('option drift')
    expect(() => monitorOf({ detector: { kind: 'adwin', delta: 2 } })).toThrow('option detector.delta')
    expect(() => monitorOf({ detector: 'oracle' })).toThrow('option detector')
    for (const detector of [7, { delta: 0.1 }]) {
      expect(() => monitorOf({ detector })).toThrow('must be a name of a detector, or { kind, … }')
    }
    /** After how many errors in a row, behind fifty right answers, it signals drift. */
    const patience = (options: object) => {
      const detector = monitorOf(options)?.create()
      for (let i = 0; i < 50; i++) detector?.update(0)
      for (let errors = 1; errors < 50; errors++) if (detector?.update(1) === 'drift') return errors
      return Infinity
    }
    expect(patience({ drift: 1e-9 })).toBeGreaterThan(patience({ drift: 0.001 }))
    expect(patience({})).toBe(patience({ drift: 0.001 }))
    expect(patience({ detector: { kind: 'hddm-a', drift: 1e-9 } })).toBe(patience({ drift: 1e-9 }))
  })
})
