import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import { expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { samplesMade } from '../views/progress.ts'
import { detail, guarantee, summary } from '../views/system.ts'
import { Simulation } from './simulation.ts'

const samplesOf = (service: Service) => service.get('dive').read(samplesMade())
const setting = { system: 'dive', speed: 2000, answers: 0.7, labels: 0.1 }

it('leaves the untrained state at once, and what people leave is answered late, so that promises say something', async () => {
  const service = await Service.open(new MemoryLog())
  const simulation = await Simulation.start(service, { ...setting, speed: 10_000 })
  const trainedAt = (async () => {
    while (!(await service.get('dive').read(summary(0))).trained) await setTimeout(1)
    return samplesOf(service)
  })()
  while ((await samplesOf(service)) < 1500) await setTimeout(10)
  await simulation.stop()
  expect(await trainedAt).toBeLessThan(200)
  expect((await service.get('dive').read(summary(0))).openQuestions).toBeLessThan(200)
  const { promises } = await service.get('dive').read(guarantee())
  expect(promises?.accuracy.certified).toBeGreaterThan(0.7)
})

it('a simulated dive streams in, its reviewer answers part of the questions, and a restart goes on where the log ended', async () => {
  const log = new MemoryLog()
  const service = await Service.open(log)
  const first = await Simulation.start(service, setting)
  while ((await samplesOf(service)) < 150) await setTimeout(10)
  await first.change({ speed: 0 })
  const samples = await samplesOf(service)
  await first.stop()

  const again = await Service.open(log)
  const second = await Simulation.start(again, setting)
  while ((await samplesOf(again)) < samples + 100) await setTimeout(10)
  await second.stop()
  const { counts, openQuestions } = await again.get('dive').read(detail(0))
  const answers = counts.confirms + counts.rejects + counts.labels
  expect(answers / counts.samples).toBeGreaterThan(0.55)
  expect(answers / counts.samples).toBeLessThan(0.85)
  expect(counts.labels).toBeGreaterThan(0)
  expect(openQuestions).toBe(counts.samples - answers)

  const records = await log.read('dive', { kinds: ['sample'], limit: 5000 })
  const stream = dive()[Symbol.iterator]()
  for (const { body } of records) {
    const { x } = stream.next().value as { x: Float64Array }
    expect(JSON.parse(body).values).toEqual(Array.from(x, (value) => value + 0))
  }
})

it('a pause begins at once: what the old speed owed is not sent', async () => {
  const service = await Service.open(new MemoryLog())
  // 500 samples are due at the first look at the clock.
  const simulation = await Simulation.start(service, { ...setting, speed: 10_000 })
  const samples = await new Promise<number>((paused) => {
    let [count, asked] = [0, false]
    service.subscribe((_, { events }) => {
      count += events.filter(({ kind }) => kind === 'sample').length
      if (count < 100 || asked) return
      asked = true
      void simulation.change({ speed: 0 }).then(() => paused(count))
    })
  })
  expect(samples).toBeLessThan(110)
  expect(await samplesOf(service)).toBe(samples)
  await simulation.stop()
})

it('feeds systems of several methods with the same samples, side by side, and so again after a restart', async () => {
  const log = new MemoryLog()
  const service = await Service.open(log)
  const first = await Simulation.start(service, setting, { beside: ['pb-oel'] })
  while ((await samplesOf(service)) < 60) await setTimeout(10)
  await first.stop()
  const done = await samplesOf(service)

  const again = await Service.open(log)
  const second = await Simulation.start(again, setting, { beside: ['pb-oel'] })
  while ((await samplesOf(again)) < done + 40) await setTimeout(10)
  await second.stop()
  const details = await Promise.all(['dive', 'dive-pb-oel'].map((id) => again.get(id).read(detail(0))))
  expect(details.map(({ title, configuration }) => [title, configuration.method])).toEqual([
    ['Simulated dive', 'pb-oel-plus'],
    ['Simulated dive, pb-oel', 'pb-oel'],
  ])
  const samples = await Promise.all(
    ['dive', 'dive-pb-oel'].map(async (id) =>
      (await log.read(id, { kinds: ['sample'], limit: 5000 })).map(({ body }) => JSON.parse(body).values),
    ),
  )
  expect(samples[1]).toEqual(samples[0])
  expect(samples[0].length).toBeGreaterThan(done)
})
