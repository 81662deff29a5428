import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { keptAnswers } from './assessed-sample.ts'
import { figures } from './figures.ts'
import { progress, samplesMade } from './progress.ts'
import { oldestOpen, openQuestions } from './queue.ts'
import { detail, guarantee, hashOfState, summary, wholeState } from './system.ts'
import type { View } from './view.ts'

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
      ...[
        summary(5),
        detail(5),
        wholeState(),
        figures(5),
        keptAnswers(),
        openQuestions(50, [], { by: 'test', whose: 'all' }),
      ],
      ...[guarantee(), progress(), samplesMade(), hashOfState(), oldestOpen()],
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

it('every file that names a view is known to all threads', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.') && name !== 'view.ts')
  const text = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  const naming = files.filter((name) => text(name).includes('= defineView('))
  expect(naming.length).toBeGreaterThan(3)
  expect(naming.filter((name) => !text('all-views.ts').includes(`'./${name}'`))).toEqual([])
})
