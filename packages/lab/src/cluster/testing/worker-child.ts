import { codeVersion } from '../../job/fingerprint.ts'
import { JobQueue } from '../job-queue.ts'
import { work } from '../work.ts'

// A worker in a process of its own, so that tests can kill it: tells each job as it is taken.
const queue = await JobQueue.open({ servers: process.argv[2], version: codeVersion(), patience: 2 })
const { take } = queue
queue.take = async (signal) => {
  const taken = await take.call(queue, signal)
  if (taken) process.stdout.write(`${taken.key}\n`)
  return taken
}
await work(queue, {
  threads: 1,
  signal: new AbortController().signal,
  onTrouble: (error) => console.error(error.message),
})
