import type { Queue, ReviewerList } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { rebuild } from '../replay/recover.ts'
import { memoryApp } from '../testing/memory-app.ts'
import { hashOfState } from '../views/system.ts'

const PLANT = { channels: ['a', 'b'], levels: ['safe', 'odd', 'unsafe'], options: { experts: 3, pending: 64 } }

/** A plant with one sample per second, and people who ask and answer. */
async function plant(samples: number, review?: { secondOpinion?: number; trust?: boolean }) {
  let now = 1_000_000
  const { app, service, log } = await memoryApp({}, () => now, new MemoryLog(), { ...PLANT, ...(review && { review }) })
  for (let i = 0; i < samples; i++) {
    now += 1000
    await service.sample('plant', { values: [i % 3, Math.sin(i)] }, 'sensor')
  }
  now += 1000
  const post = async (path: string, payload: object) => {
    const { statusCode: status, body } = await app.inject({ method: 'POST', url: `/v1/systems/plant/${path}`, payload })
    return { status, body: JSON.parse(body) }
  }
  const get = async (path: string) => (await app.inject(`/v1/systems/plant${path && `/${path}`}`)).json()
  const queue = async (by: string, whose = 'all') => (await get(`queue?limit=500&by=${by}&whose=${whose}`)) as Queue
  const asked = async (by: string, whose?: string) =>
    (await queue(by, whose)).questions.map(({ assessment }) => assessment).sort((a, b) => a - b)
  /** Live and replayed from the first record, and through a snapshot: one state. */
  const replays = async () => {
    const live = await service.get('plant').read(hashOfState())
    const fold = await rebuild(log, 'plant', { fromStart: true })
    const again = (fold.constructor as typeof import('../fold/system-fold.ts').SystemFold).load(fold.save())
    return fold.stateHash() === live && again.stateHash() === live
  }
  return { service, log, post, get, queue, asked, replays }
}

describe('a reviewer who cannot tell', () => {
  it('is not asked again, others are, the model learns nothing, and it counts', async () => {
    const { service, post, get, asked, queue, replays } = await plant(5)
    const before = (await get('')).weights
    const said = { assessment: 2, kind: 'cannot-tell', note: 'camera was dark', by: 'eva', key: 'k' }
    expect(await post('feedback', said)).toMatchObject({ status: 200, body: { kind: 'cannot-tell', assessment: 2 } })
    expect((await post('feedback', said)).body.repeated).toBe(true)
    expect(await asked('eva')).toEqual([0, 1, 3, 4])
    expect(await asked('tom')).toEqual([0, 1, 2, 3, 4])
    expect((await queue('tom')).questions.find(({ assessment }) => assessment === 2)?.cannotTell).toBe(1)
    const { weights, counts, openQuestions } = await get('')
    expect(weights).toEqual(before)
    expect(counts).toMatchObject({ confirms: 0, rejects: 0, labels: 0, abstentions: 1 })
    expect(openQuestions).toBe(5)
    const { comments } = await get('comments?assessment=2')
    expect(comments).toMatchObject([{ text: 'camera was dark', cannotTell: true, by: 'eva' }])
    expect((await post('queue/2/claim', { by: 'eva' })).status).toBe(409)
    // Who can tell after all may still answer.
    expect((await post('feedback', { assessment: 2, kind: 'confirm', by: 'eva' })).status).toBe(200)
    expect(await replays()).toBe(true)
    await service.close()
  })

  it('is refused, with the reason and nothing recorded, where it makes no sense', async () => {
    const { post, service } = await plant(5)
    await post('feedback', { assessment: 0, kind: 'confirm', by: 'eva' })
    await post('feedback', { assessment: 1, kind: 'cannot-tell', by: 'eva' })
    const { sequence } = await service.get('plant').overview()
    for (const [given, status, why] of [
      [{ assessment: 1, kind: 'cannot-tell' }, 409, 'said before'],
      [{ assessment: 0, kind: 'cannot-tell' }, 409, 'answered by eva'],
      [{ assessment: 9, kind: 'cannot-tell' }, 404, 'never made'],
      [{ assessment: 2, kind: 'cannot-tell', correction: true }, 400, 'corrected by another answer'],
      [{ assessment: 2, kind: 'confirm', note: 'x' }, 400, 'belongs to the kind cannot-tell'],
    ] as const) {
      const answer = await post('feedback', { ...given, by: 'eva' })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(why)])
    }
    expect((await service.get('plant').overview()).sequence).toBe(sequence)
    await service.close()
  })
})

describe('a second opinion', () => {
  it('is asked of another person only, on the share that was set, and compared without teaching', async () => {
    const { post, get, asked, queue, replays, service } = await plant(60, { secondOpinion: 0.5 })
    for (let assessment = 0; assessment < 60; assessment++) {
      await post('feedback', { assessment, kind: 'label', level: 1, by: 'eva' })
    }
    expect(await asked('eva')).toEqual([])
    const wanted = await asked('tom')
    expect(wanted.length).toBeGreaterThan(15)
    expect(wanted.length).toBeLessThan(45)
    const { questions } = await queue('tom')
    expect(questions.every(({ second }) => second)).toBe(true)
    expect(JSON.stringify(questions)).not.toContain('eva')
    const before = await get('')
    const [one, two, three] = wanted
    const said = await post('feedback', { assessment: one, kind: 'label', level: 1, by: 'tom' })
    expect(said.body).toMatchObject({ second: true, kind: 'label' })
    await post('feedback', { assessment: two, kind: 'label', level: 2, by: 'tom' })
    await post('feedback', { assessment: three, kind: 'cannot-tell', by: 'tom' })
    expect(await asked('tom')).toEqual(wanted.slice(3))
    expect(await asked('ida')).toEqual(wanted.slice(2))
    const after = await get('')
    expect(after.weights).toEqual(before.weights)
    expect(after.counts).toEqual({ ...before.counts, secondOpinions: 2, abstentions: 1 })
    const { reviewers }: ReviewerList = await get('reviewers')
    expect(reviewers.map(({ by, compared, agreed, cannotTell }) => [by, compared, agreed, cannotTell])).toEqual([
      ['eva', 2, 1, 0],
      ['tom', 2, 1, 1],
    ])
    const { estimate, low, high } = reviewers[0].reliability ?? { estimate: 0, low: 0, high: 0 }
    expect(low).toBeLessThan(estimate)
    expect(high).toBeGreaterThan(estimate)
    expect((await post('feedback', { assessment: one, kind: 'confirm', by: 'ida' })).status).toBe(409)
    expect(await replays()).toBe(true)
    await service.close()
  })

  it('is wanted by no system that was not told to, and on no level that came with its sample', async () => {
    const without = await plant(5)
    await without.post('feedback', { assessment: 0, kind: 'confirm', by: 'eva' })
    expect(await without.asked('tom')).toEqual([1, 2, 3, 4])
    const all = await plant(0, { secondOpinion: 1 })
    await all.service.sample('plant', { values: [1, 1], trueLevel: 1 }, 'history')
    expect(await all.asked('tom')).toEqual([])
    await Promise.all([without.service.close(), all.service.close()])
  })

  it('lets answers of a person who errs teach less, where the system trusts by it', async () => {
    const taught = async (trust: boolean) => {
      const { post, asked, log, replays, service } = await plant(60, { secondOpinion: 1, trust })
      const model = async () => Buffer.from((await rebuild(log, 'plant')).model.assessor.snapshot()).toString('base64')
      for (let assessment = 0; assessment < 40; assessment++) {
        await post('feedback', { assessment, kind: 'confirm', by: 'bad' })
        // Two good reviewers agree with each other and never with this one.
        await post('feedback', { assessment, kind: 'reject', by: assessment % 2 ? 'ada' : 'bo' })
      }
      for (const assessment of [40, 41, 42, 43, 44, 45]) {
        await post('feedback', { assessment, kind: 'reject', by: 'ada' })
        await post('feedback', { assessment, kind: 'reject', by: 'bo' })
      }
      const before = await model()
      for (const assessment of [50, 51, 52, 53]) await post('feedback', { assessment, kind: 'confirm', by: 'bad' })
      expect(await replays()).toBe(true)
      expect(await asked('bad')).not.toContain(50)
      const learned = (await model()) !== before
      await service.close()
      return learned
    }
    expect(await taught(false)).toBe(true)
    expect(await taught(true)).toBe(false)
  })
})

describe('comments and assignments', () => {
  it('are recorded, read by assessment, and refused for a moment that never was', async () => {
    const { post, get, replays, service } = await plant(3)
    const comment = await post('comments', { assessment: 1, text: 'pump was serviced', by: 'eva', key: 'c' })
    expect(comment).toMatchObject({ status: 201, body: { assessment: 1, text: 'pump was serviced', by: 'eva' } })
    await post('comments', { assessment: 1, text: 'pump was serviced', by: 'eva', key: 'c' })
    await post('comments', { assessment: 2, text: 'another moment', by: 'tom' })
    expect((await get('comments?assessment=1')).comments).toEqual([comment.body])
    expect((await post('comments', { assessment: 3, text: 'x', by: 'eva' })).status).toBe(404)
    expect((await post('comments', { assessment: 1, text: '', by: 'eva' })).status).toBe(400)
    expect(await replays()).toBe(true)
    await service.close()
  })

  it('give a question, or a system, to one person', async () => {
    const { post, get, asked, replays, service } = await plant(4)
    expect((await post('assignments', { assessment: 1, to: 'eva', by: 'boss' })).status).toBe(201)
    expect(await asked('eva', 'mine')).toEqual([1])
    expect(await asked('tom', 'free')).toEqual([0, 2, 3])
    expect(await asked('tom', 'all')).toEqual([0, 1, 2, 3])
    expect((await post('assignments', { assessment: 1, to: 'eva', by: 'boss' })).status).toBe(409)
    await post('assignments', { to: 'tom', by: 'boss' })
    expect((await get('')).assignedTo).toBe('tom')
    expect(await asked('tom', 'mine')).toEqual([0, 2, 3])
    expect(await asked('eva', 'free')).toEqual([1])
    expect(await replays()).toBe(true)
    await post('assignments', { to: null, by: 'boss' })
    await post('assignments', { assessment: 1, to: null, by: 'boss' })
    expect(await asked('tom', 'free')).toEqual([0, 1, 2, 3])
    await service.close()
  })
})
