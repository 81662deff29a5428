import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { detail } from '../views/system.ts'
import { whatIf } from './what-if.ts'

describe('what if', () => {
  async function recorded(levels: string[]) {
    const log = new MemoryLog()
    const service = await Service.open(log)
    await service.create('plant', { channels: ['a'], levels, method: 'no-change', seed: 3 }, 'test')
    for (let i = 0; i < 40; i++) {
      const truth = i % 2
      const { assessment, level } = await service.sample('plant', { values: [truth ? 1 : -1] }, 'test')
      if (i % 10 < 2) await service.feedback('plant', { assessment, kind: 'label', level: truth }, 'test')
      else await service.feedback('plant', { assessment, kind: level === truth ? 'confirm' : 'reject' }, 'test')
    }
    const { right, wrong } = (await service.get('plant').read(detail(0))).counts
    return { log, accuracy: right / (right + wrong) }
  }

  it('with the same model repeats what was recorded', async () => {
    const { log, accuracy } = await recorded(['safe', 'odd', 'unsafe'])
    const report = await whatIf(log, 'plant', {})
    expect(report).toMatchObject({ method: 'no-change', samples: 40, agreement: 40, comparable: 40, undecided: 0 })
    expect(report.recordedAccuracy).toBe(accuracy)
    expect(report.whatIfAccuracy).toBe(accuracy)
  })

  it('with two levels every answer tells about any model', async () => {
    const { log } = await recorded(['safe', 'unsafe'])
    const report = await whatIf(log, 'plant', { method: 'pb-oel', options: { experts: 3 } })
    expect(report).toMatchObject({ method: 'pb-oel', comparable: 40, undecided: 0 })
    // Repeating the last known level is wrong half of the time here; a model that looks at the sample is not.
    expect(report.whatIfAccuracy as number).toBeGreaterThan(report.recordedAccuracy as number)
  })

  it('with three levels counts the answers that do not tell', async () => {
    const { log } = await recorded(['safe', 'odd', 'unsafe'])
    const report = await whatIf(log, 'plant', { method: 'pb-oel', options: { experts: 3 } })
    expect(report.comparable + report.undecided).toBe(40)
    expect(report.undecided).toBeGreaterThan(0)
  })

  it('never sees an excluded sample, and learns nothing from its answer', async () => {
    const values = (i: number) => [i % 2 ? 1 : -1]
    /** A log in which a wild sample is answered and then excluded, or in which it never was. */
    const run = async (wild: boolean) => {
      const log = new MemoryLog()
      const service = await Service.open(log)
      await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], method: 'no-change' }, 'test')
      for (let i = 0; i < 30; i++) {
        if (wild && i === 10) {
          const { assessment } = await service.sample('plant', { values: [1e9] }, 'test')
          await service.feedback('plant', { assessment, kind: 'label', level: 0 }, 'test')
        }
        const { assessment } = await service.sample('plant', { values: values(i) }, 'test')
        await service.feedback('plant', { assessment, kind: 'label', level: i % 2 }, 'test')
      }
      if (wild) await service.exclude('plant', { from: 10, why: 'a broken cable' }, 'test')
      return whatIf(log, 'plant', { method: 'pb-oel', options: { experts: 3, scaling: 'none' } })
    }
    const { excluded, ...without } = await run(true)
    const { excluded: none, ...never } = await run(false)
    expect([excluded, none]).toEqual([1, 0])
    // The recorded model is another one after an exclusion, so that only the other model is compared.
    expect([without.samples, without.comparable, without.whatIfAccuracy]).toEqual([
      ...[never.samples, never.comparable, never.whatIfAccuracy],
    ])
  })

  it('goes on with a channel more where one was added, as the recorded model did', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log)
    const options = { experts: 3 }
    await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], method: 'pb-oel', options }, 'test')
    const samples = async (from: number, to: number, more: (i: number) => number[]) => {
      for (let i = from; i < to; i++) {
        const { assessment } = await service.sample('plant', { values: [i % 7, ...more(i)] }, 'test')
        await service.feedback('plant', { assessment, kind: 'label', level: i % 2 }, 'test')
      }
    }
    await samples(0, 20, () => [])
    await service.addChannel('plant', { name: 'b', usual: 0 }, 'test')
    await samples(20, 60, (i) => [i % 2])
    const same = { samples: 60, agreement: 60, comparable: 60 }
    expect(await whatIf(log, 'plant', {})).toMatchObject(same)
    // Only the new channel tells the levels apart.
    const other = await whatIf(log, 'plant', { method: 'pb-oel-plus' })
    expect(other.comparable).toBe(60)
    expect(other.whatIfAccuracy).toBeGreaterThan(0.7)
  })

  it('refuses a method or option that does not exist', async () => {
    const { log } = await recorded(['safe', 'unsafe'])
    await expect(whatIf(log, 'plant', { method: 'magic' })).rejects.toThrow('option method')
    await expect(whatIf(log, 'plant', { options: { colour: 1 } })).rejects.toThrow('option colour')
    await expect(whatIf(log, 'none', {})).rejects.toThrow('none')
  })
})
