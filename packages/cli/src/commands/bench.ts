import { BENCHMARKS, runBench } from '@pb-oel/bench'
import { Command } from 'commander'
import { number } from '../arguments.ts'
import { onInterrupt } from '../interrupt.ts'

interface BenchOptions {
  json?: boolean
  compare?: string
  save?: string
  seconds: number
}

/** `pb-oel bench [names]`: how fast everything is on this machine. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('measure speed: variants side by side, interleaved, as medians and ratios')
    .argument('[names...]', `which of ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')} (default: all)`)
    .option('--json', 'print one JSON document on stdout')
    .option('--save <file>', 'store the results as a baseline')
    .option(
      '--compare <file>',
      'mark what is more than 10 % slower than a stored baseline; exit code 1 when anything is',
    )
    .option('--seconds <n>', 'time spent on each comparison', number(0.01, 3600), 2)
    .action(bench)
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

async function bench(names: string[], options: BenchOptions): Promise<void> {
  const { output, slower } = await runBench(names, {
    ...options,
    signal: onInterrupt(),
    onProgress: (done, total, name) => process.stderr.write(`benchmark ${done + 1} of ${total}: ${name}\n`),
  })
  process.stdout.write(`${output}\n`)
  if (slower) process.exitCode = 1
}
