import { PbOelError } from '@pb-oel/core'
import { Command } from 'commander'
import { number } from '../arguments.ts'
import { print } from '../experiments.ts'
import { onInterrupt } from '../interrupt.ts'

interface BenchOptions {
  json?: boolean
  compare?: string
  save?: string
  seconds: number
}

type Bench = typeof import('@pb-oel/bench')

/** `pb-oel bench [names]`: how fast everything is on this machine. */
export async function benchCommand(): Promise<Command> {
  const command = new Command('bench').description(
    'measure speed: variants side by side, interleaved, as medians and ratios',
  )
  const bench = await installedBench()
  return bench === undefined ? withoutBench(command) : withBench(command, bench)
}

/** The benchmarks, or `undefined`: the command does not bring them along, because a service never needs them. */
async function installedBench(): Promise<Bench | undefined> {
  try {
    return await import('@pb-oel/bench')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes('@pb-oel/bench')) return undefined
    throw error
  }
}

function withoutBench(command: Command): Command {
  return command
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', `\n${MISSING}`)
    .action(() => {
      throw new PbOelError(MISSING)
    })
}

const MISSING =
  'The benchmarks are not installed: npm install @pb-oel/bench beside pb-oel, or run the command in a clone.'

function withBench(command: Command, { BENCHMARKS, runBench }: Bench): Command {
  return command
    .argument('[names...]', `which of ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')} (default: all)`)
    .option('--json', 'print one JSON document on stdout')
    .option('--save <file>', 'store the results as a baseline')
    .option(
      '--compare <file>',
      'mark what is more than 10 % slower than a stored baseline; exit code 1 when anything is',
    )
    .option('--seconds <n>', 'time spent on each comparison', number(0.01, 3600), 2)
    .action((names: string[], options: BenchOptions) => bench(runBench, names, options))
    .addHelpText(
      'after',
      `
Benchmarks:
${BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

Examples:
  $ pb-oel bench kernel
  $ pb-oel bench --save before.json
  $ pb-oel bench --compare before.json --seconds 5`,
    )
}

async function bench(runBench: Bench['runBench'], names: string[], options: BenchOptions): Promise<void> {
  const { report, output, slower } = await runBench(names, {
    ...options,
    signal: onInterrupt(),
    onProgress: (done, total, name) => process.stderr.write(`benchmark ${done + 1} of ${total}: ${name}\n`),
  })
  print(options.json, report, () => [output])
  if (slower) process.exitCode = 1
}
