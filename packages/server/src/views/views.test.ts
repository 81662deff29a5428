import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { keptAnswers } from './assessed-sample.ts'
import { figures } from './figures.ts'
import { openQuestions } from './queue.ts'
import { detail, summary, wholeState } from './system.ts'
import type { View } from './view.ts'

const AT = { now: 5, sinceRecord: 0 }

describe('what a view gave', () => {
  it('stays as it was, whatever happens to the system afterwards', async () => {
    const service = await Service.open(new MemoryLog())
    const system = await service.create(
      'plant',
      { ...PLANT, missing: 'hold', alarm: { level: 1, clearBelow: 1 } },
      'test',
    )
    const some = async (from: number) => {
      for (let i = from; i < from + 20; i++) {
        const values = i % 5 === 4 ? { pressure: i } : [i, i % 3]
        const { assessment } = await service.sample('plant', { values }, 'test')
        if (i % 2) await service.feedback('plant', { assessment, kind: 'label', level: i % 3 }, 'eva')
      }
    }
    await some(0)
    const views: View<unknown>[] = [
      ...[summary(AT), detail(AT), wholeState, figures, keptAnswers, openQuestions(50, () => true)],
      ...[(state: Parameters<View<unknown>>[0]) => ({ points: [...state.progress.points] })],
    ]
    const results = await Promise.all(views.map((view) => system.read(view)))
    const told = JSON.stringify(results.map((result) => (result instanceof Map ? [...result] : result)))
    await some(20)
    await service.configure('plant', { title: 'other', queue: { level: 3 } }, 'test')
    await service.feedback('plant', { assessment: 1, kind: 'confirm', correction: true }, 'max').catch(() => {})
    expect(JSON.stringify(results.map((result) => (result instanceof Map ? [...result] : result)))).toBe(told)
    expect(JSON.stringify(await Promise.all(views.map((view) => system.read(view))))).not.toBe(told)
  })
})
