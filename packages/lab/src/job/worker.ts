/** What a worker thread of the pool runs. */
export { runJob as default } from './job.ts'
