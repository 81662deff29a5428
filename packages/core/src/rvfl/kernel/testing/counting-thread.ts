/** A thread of turns.test.ts: counts the networks it is given instead of updating them. */
import { parentPort, workerData } from 'node:worker_threads'
import { joinTurns } from '../turns.ts'

parentPort?.postMessage('started')
joinTurns(workerData.turns, (network) => Atomics.add(workerData.counts, network, 1))
