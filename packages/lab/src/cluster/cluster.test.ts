import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANY_NATS_SERVER as NATS_SERVER } from '../../../../test/support/needs.ts'
import type { Experiment } from '../experiment/experiment.ts'
import { type ExperimentResult, runExperiments } from '../experiment/run-experiments.ts'
import { codeVersion } from '../job/fingerprint.ts'
import { testFolder } from '../testing/folder.ts'
import { JobQueue } from './job-queue.ts'

const WORKER = join(import.meta.dirname, 'testing', 'worker-child.ts')
const SMALL: Experiment = {
  streams: [{ address: 'dive', samples: 1500 }],
  methods: ['pb-oel', join(import.meta.dirname, '../modules/testing/parrot.ts'), 'majority'],
  rho: [0, 0.1],
  repeats: 2,
  people: { answers: { wrong: 0.1 } },
}

/** Everything but how fast it went. */
const bytes = (results: readonly ExperimentResult[][]) =>
  JSON.stringify(
    results.map((part) => part.map(({ result: { samplesPerSecond: _, ...result }, ...rest }) => ({ ...rest, result }))),
  )

describe.skipIf(!NATS_SERVER)('jobs over NATS (needs nats-server)', () => {
  const { path: folder } = testFolder()
  let stores = 0
  const store = () => join(folder, `store-${stores++}`)
  let url = ''
  let server: ChildProcess
  const workers: ChildProcess[] = []

  beforeAll(async () => {
    const port = await freePort()
    url = `nats://127.0.0.1:${port}`
    const args = ['-js', '-a', '127.0.0.1', '-p', `${port}`, '-sd', join(folder, 'nats')]
    server = spawn(NATS_SERVER as string, args, { stdio: 'ignore' })
    for (;;) {
      try {
        await (await JobQueue.open({ servers: url, version: 'ready' })).close()
        break
      } catch {
        await setTimeout(50)
      }
    }
  })
  afterAll(async () => {
    for (const child of [...workers, server]) {
      const ended = new Promise((done) => child.once('exit', done))
      if (child.kill('SIGKILL')) await ended
    }
  })

  const startWorker = () => {
    const child = spawn(process.execPath, [WORKER, url], { stdio: ['ignore', 'pipe', 'inherit'] })
    workers.push(child)
    return child
  }

  it('three workers give the same bytes as one machine, also when one of them is killed at work', async () => {
    const alone = await runExperiments([SMALL], { workers: 1, store: store() })
    const children = [startWorker(), startWorker(), startWorker()]
    // The first to say that it has taken a job ends there and then.
    const killed = new Promise<void>((done) => {
      children[0].stdout?.once('data', () => {
        children[0].kill('SIGKILL')
        done()
      })
    })
    const together = await runExperiments([SMALL], { workers: 0, nats: url, store: store() })
    await killed
    expect(bytes(together)).toBe(bytes(alone))
    // Another coordinator finds everything done.
    const again = await runExperiments([SMALL], { workers: 0, nats: url, store: store() })
    expect(bytes(again)).toBe(bytes(alone))
  })

  it('keeps the first result of a key, and gives a job to another worker when the first falls silent', async () => {
    const queue = await JobQueue.open({ servers: url, version: 'test', patience: 3 })
    const job = { stream: { address: 'dive' }, method: 'majority', options: {}, rho: 0, seed: 1 }
    await queue.put([{ key: 'k', job }])
    await queue.put([{ key: 'k', job }])
    const first = await queue.take()
    expect(first?.key).toBe('k')
    expect(await queue.take()).toBeUndefined()
    let second = await queue.take()
    for (let i = 0; i < 10 && !second; i++) second = await queue.take()
    expect(second?.job).toEqual(job)
    await queue.keep('k', { samples: 1 } as never)
    await queue.keep('k', { samples: 2 } as never)
    expect(await queue.result('k')).toEqual({ samples: 1 })
    expect(await queue.finished()).toEqual(new Set(['k']))
    await second?.done()
    expect(await queue.take()).toBeUndefined()
    await queue.close()
  })

  it('says clearly that no server can be reached', async () => {
    await expect(JobQueue.open({ servers: 'nats://127.0.0.1:1', version: codeVersion() })).rejects.toThrow(
      '127.0.0.1:1',
    )
  })
})

async function freePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as { port: number }
  await new Promise((done) => listener.close(done))
  return port
}
