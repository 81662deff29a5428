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

  it('refuses a method or option that does not exist', async () => {
    const { log } = await recorded(['safe', 'unsafe'])
    await expect(whatIf(log, 'plant', { method: 'magic' })).rejects.toThrow('option method')
    await expect(whatIf(log, 'plant', { options: { colour: 1 } })).rejects.toThrow('option colour')
    await expect(whatIf(log, 'none', {})).rejects.toThrow('none')
  })
})
