import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { keptAnswers } from './assessed-sample.ts'
import { figures } from './figures.ts'
import { progress, samplesMade } from './progress.ts'
import { mustBeOpen, oldestOpen, openQuestions, questionView } from './queue.ts'
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

it('a question counts the votes for each level, and says for how many seconds it has waited', () => {
  const body = { assessment: 3, level: 1, probabilities: [0.2, 0.5, 0.3], confidence: 0.5, experts: [0, 1, 1, 2, 1, 2] }
  const reasons = { uncertainty: 0.5, disagreement: 0.4, level: 0.3, freshness: 0.2 }
  const open = { body, worth: 0.7, reasons, place: { sequence: 9, time: 5_000 }, said: { cannotTell: 2 } }
  const claim = { by: 'eva', until: 9_000 }
  const question = questionView(PLANT.levels, open, { values: [1, 2], by: 'sensor' }, claim, 12_500)
  expect(question).toMatchObject({ ...body, worth: 0.7, reasons, claim, cannotTell: 2, sequence: 9, time: 5_000 })
  expect(question).toMatchObject({ votes: [1, 3, 2], age: 7.5, levelName: 'odd', likely: 1, values: [1, 2] })
  expect(questionView(PLANT.levels, open, { values: [1, 2], by: 'sensor' }, undefined, 4_000).age).toBe(0)
})

it('a system without a sample has nothing certified, and a clone of an archived one is not archived', async () => {
  const service = await Service.open(new MemoryLog())
  const system = await service.create('plant', PLANT, 'test')
  expect(await system.overview()).toMatchObject({ samples: 0, certifiedAccuracy: null, lastSampleAge: null })
  await service.sample('plant', { values: [1, 2] }, 'test')
  expect((await system.overview()).certifiedAccuracy).toBe(0)
  await service.configure('plant', { archived: true }, 'test')
  const clone = await service.clone('plant', { id: 'copy', state: true }, 'test')
  expect([(await system.overview()).archived, 'archived' in (await clone.overview())]).toEqual([true, false])
})

it('a question is open to those who may answer it, and to nobody else', async () => {
  const clock = new SimulatedClock()
  const service = await Service.open(new MemoryLog(), { clock })
  const system = await service.create('plant', { ...PLANT, review: { secondOpinion: 1 } }, 'test')
  for (let i = 0; i < 3; i++) await service.sample('plant', { values: [i, 1] }, 'test')
  // A level that comes with its sample is no person's.
  await clock.advance(1)
  const open = (assessment: number, by: string) => system.read(mustBeOpen(assessment, by))
  await expect(open(3, 'eva')).rejects.toThrow('assessment 3 was never made')
  await open(0, 'eva')
  await service.feedback('plant', { assessment: 0, kind: 'cannot-tell' }, 'eva')
  await expect(open(0, 'eva')).rejects.toThrow('eva has said that they cannot tell')
  await open(0, 'max')
  await service.feedback('plant', { assessment: 1, kind: 'label', level: 0 }, 'eva')
  await expect(open(1, 'eva')).rejects.toThrow('has been answered by eva')
  await open(1, 'max')
  await service.feedback('plant', { assessment: 1, kind: 'label', level: 0 }, 'max')
  await expect(open(1, 'ann')).rejects.toThrow('has been answered by eva')
})

it('every file that names a view is known to all threads', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.') && name !== 'view.ts')
  const text = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  const naming = files.filter((name) => text(name).includes('= defineView('))
  expect(naming.length).toBeGreaterThan(3)
  expect(naming.filter((name) => !text('all-views.ts').includes(`'./${name}'`))).toEqual([])
})
