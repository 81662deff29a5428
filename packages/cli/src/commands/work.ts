import { runWorker } from '@pb-oel/lab'
import { Command } from 'commander'
import { integer } from '../arguments.ts'
import { Interrupted, onInterrupt } from '../interrupt.ts'
import { duration } from '../progress.ts'

interface Options {
  nats: string
  threads?: number
}

/** `pb-oel work`: a machine that works on the experiments of others. */
export function workCommand(): Command {
  return new Command('work')
    .description('work on the runs that experiments with --nats put into the queue, until stopped')
    .requiredOption('--nats <urls>', 'addresses of the NATS servers: nats://a:4222,nats://b:4222')
    .option('--threads <n>', 'runs at once (default: one per core)', integer(1, 1024))
    .action(work)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel work --nats nats://a:4222
  $ pb-oel reproduce --quick --nats nats://a:4222 --out report`,
    )
}

async function work({ nats, threads }: Options): Promise<void> {
  const signal = onInterrupt()
  process.stderr.write(`working on what comes over ${nats.replaceAll(/\/\/[^@/,]*@/g, '//')}\n`)
  await runWorker(nats, {
    threads,
    signal,
    onJob: (key, seconds) => process.stderr.write(`run ${key.slice(0, 8)} done in ${duration(seconds)}\n`),
    onTrouble: (error) => process.stderr.write(`${error.message}\n`),
  })
  if (signal.aborted) throw new Interrupted()
}
