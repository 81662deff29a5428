import { setTimeout } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { DataError } from '../errors.ts'
import type { Job } from '../job/job.ts'
import type { JobResult } from '../job/run-job.ts'

/** A job that waits in the queue, under the key of its result. */
export interface QueuedJob {
  key: string
  job: Job
}

/** A job that this worker has taken. */
export interface TakenJob extends QueuedJob {
  /** Says that it is still being worked on. */
  working(): void
  /** It is done and its result is kept. */
  done(): Promise<void>
  /** Gives it back: after a while another worker takes it. */
  giveBack(): void
}

/** Options of {@link JobQueue}. */
export interface JobQueueOptions {
  /** Addresses with commas between them, such as `nats://a:4222,nats://b:4222`. */
  servers: string
  /** Version of the code: results of different versions are never mixed. */
  version: string
  /** Seconds without a sign after which a job goes to another worker. Default 30. */
  patience?: number
}

const JOBS = 'pb-oel-jobs'
const RESULTS = 'pb-oel-results'
const TIMEOUT = 5_000

/**
 * The jobs and results of a laboratory in NATS JetStream. Jobs are in a work queue: each goes to one worker, and to
 * another one when the first falls silent. The first result of each key is kept.
 */
export class JobQueue {
  private readonly connection: NatsConnection
  private readonly js: JetStreamClient
  private readonly jsm: JetStreamManager
  private readonly options: Required<JobQueueOptions>

  private constructor(connection: NatsConnection, jsm: JetStreamManager, options: Required<JobQueueOptions>) {
    this.connection = connection
    this.js = jetstream(connection, { timeout: TIMEOUT })
    this.jsm = jsm
    this.options = options
  }

  /** Connects, and makes the streams where there are none. */
  static async open({ servers, version, patience = 30 }: JobQueueOptions): Promise<JobQueue> {
    let connection: NatsConnection
    try {
      const list = servers.split(',').map((server) => server.trim().replace(/^nats:\/\//, ''))
      connection = await connect({ servers: list, maxReconnectAttempts: -1, reconnectTimeWait: 200, timeout: TIMEOUT })
    } catch (error) {
      throw new DataError(servers, `no NATS server can be reached (${(error as Error).message})`)
    }
    try {
      const jsm = await jetstreamManager(connection, { timeout: TIMEOUT })
      const num_replicas = connection.info?.cluster === undefined ? 1 : 3
      await jsm.streams.add({
        ...{ name: JOBS, subjects: [`${JOBS}.>`], num_replicas },
        ...{ retention: RetentionPolicy.Workqueue, duplicate_window: 120e9 },
      })
      await jsm.streams.add({ name: RESULTS, subjects: [`${RESULTS}.>`], num_replicas, max_msgs_per_subject: 1 })
      return new JobQueue(connection, jsm, { servers, version, patience })
    } catch (error) {
      await connection.close()
      throw new DataError(servers, `JetStream cannot be used (${(error as Error).message})`)
    }
  }

  /** Puts jobs into the queue; one that waits there already is not put twice. */
  async put(jobs: readonly QueuedJob[]): Promise<void> {
    const { version } = this.options
    for (const { key, job } of jobs) {
      // For two minutes the servers drop a second copy of a job. After that its result is found before it is run again.
      await again(() =>
        this.js.publish(`${JOBS}.${version}.${key}`, JSON.stringify(job), { msgID: `${version}.${key}` }),
      )
    }
  }

  /** The next job, or `undefined` when there is none for a while. */
  async take(signal?: AbortSignal): Promise<TakenJob | undefined> {
    const consumer = await again(() => this.consumer())
    const message: JsMsg | null = await consumer.next({ expires: 1_000 })
    if (!message) return undefined
    if (signal?.aborted) {
      message.nak()
      return undefined
    }
    const key = message.subject.split('.').at(-1) as string
    return {
      ...{ key, job: message.json<Job>() },
      working: () => message.working(),
      done: async () => void (await message.ackAck()),
      giveBack: () => message.nak(2_000),
    }
  }

  /** The keys that have a result. */
  async finished(): Promise<Set<string>> {
    const subjects_filter = `${RESULTS}.${this.options.version}.*`
    const { state } = await again(() => this.jsm.streams.info(RESULTS, { subjects_filter }))
    return new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.split('.').at(-1) as string))
  }

  /** The result of a key, if it is there. */
  async result(key: string): Promise<JobResult | undefined> {
    const subject = `${RESULTS}.${this.options.version}.${key}`
    const message = await again(() => this.jsm.streams.getMessage(RESULTS, { last_by_subj: subject }))
    return message?.json<JobResult>()
  }

  /** Keeps a result; when there is one for the key already, that stays. */
  async keep(key: string, result: JobResult): Promise<void> {
    const subject = `${RESULTS}.${this.options.version}.${key}`
    const options = { expect: { lastSubjectSequence: 0 } }
    await again(() => this.js.publish(subject, JSON.stringify(result), options)).catch((error) => {
      if (!/wrong last sequence/.test((error as Error).message)) throw error
    })
  }

  async close(): Promise<void> {
    await this.connection.close()
  }

  private async consumer(): Promise<Consumer> {
    const { version, patience } = this.options
    const name = `workers-${version}`
    await this.jsm.consumers.add(JOBS, {
      ...{ durable_name: name, filter_subject: `${JOBS}.${version}.*` },
      ...{ ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All, ack_wait: patience * 1e9 },
    })
    return this.js.consumers.get(JOBS, name)
  }
}

/** Repeats a call that is safe to repeat while the servers elect a leader. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === 20 || /wrong last sequence/.test((error as Error).message)) throw error
      await setTimeout(500)
    }
  }
}
