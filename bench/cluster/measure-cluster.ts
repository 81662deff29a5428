import { setTimeout } from 'node:timers/promises'
import { quantile } from '../src/server-under-load.ts'
import type { Fleet } from './fleet.ts'
import type { Load } from './loads.ts'

/** What a load found. */
export interface LoadReport {
  load: string
  workers: number
  servers: number
  systems: number
  samplesPerSecond: number
  /** Samples that share a message of the log, and milliseconds until a message is acknowledged. */
  samplesPerMessage: number
  messageMilliseconds: number
  /** Milliseconds. */
  latency: { median: number; p99: number }
  /** Milliseconds of processor time per sample: of all workers, of all servers, of the clients. */
  processor: { workers: number; servers: number; clients: number }
}

/** Seconds before anything counts, after each system has been answered some times: code is compiled. */
const WARM_UP = 3
const ANSWERS_FIRST = 3

/** Measures a load for some seconds. */
export async function measure(name: string, fleet: Fleet, load: Load, seconds: number): Promise<LoadReport> {
  while (load.answered < ANSWERS_FIRST * fleet.options.systems) await setTimeout(100)
  await setTimeout(WARM_UP * 1000)
  const messages = await fleet.messages()
  const before = { answered: load.answered, time: performance.now(), cpu: fleet.processor(), own: process.cpuUsage() }
  load.latencies = []
  await setTimeout(seconds * 1000)
  const { latencies } = load
  const done = load.answered - before.answered
  const rate = (done * 1000) / (performance.now() - before.time)
  const [cpu, own] = [fleet.processor(), process.cpuUsage(before.own)]
  const { count, seconds: waited } = await fleet.messages()
  const sent = count - messages.count
  const perSample = (used: number) => Number(((used * 1000) / done).toFixed(3))
  const { workers, servers, systems } = fleet.options
  return {
    ...{ load: name, workers, servers, systems, samplesPerSecond: Math.round(rate) },
    samplesPerMessage: round(done / sent),
    messageMilliseconds: round((1000 * (waited - messages.seconds)) / sent),
    latency: { median: round(quantile(latencies, 0.5)), p99: round(quantile(latencies, 0.99)) },
    processor: {
      workers: perSample(cpu.workers - before.cpu.workers),
      servers: perSample(cpu.servers - before.cpu.servers),
      clients: perSample((own.user + own.system) / 1e6),
    },
  }
}

/** Seconds from when the lease of a killed worker ran out until all its systems take samples elsewhere. */
export async function measureTakeovers(fleet: Fleet, count: number): Promise<number[]> {
  const seconds: number[] = []
  for (let i = 0; i < count; i++) {
    const leaseEnd = await fleet.killWorker()
    await fleet.ready()
    seconds.push(round((Date.now() - leaseEnd) / 1000))
    await fleet.addWorker()
    await fleet.ready()
    await setTimeout(3_000)
  }
  return seconds
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
