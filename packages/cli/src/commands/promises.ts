import {
  openStream,
  PROMISE_SETTINGS,
  type PromiseRow,
  type PromiseRun,
  summarisePromises,
  tryPromises,
} from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, number, streamOptions } from '../arguments.ts'
import { Progress } from '../progress.ts'
import { decimals, textTable } from '../text-table.ts'

interface PromisesCommandOptions {
  method: string
  seed: number
  repeats: number
  missTarget: number
  samples?: number
  label?: string
  missing: 'error' | 'last' | 'mean'
  json?: boolean
}

/** `pb-oel promises <stream>`: whether the promises hold over delays, budgets and people, and how much they say. */
export function promisesCommand(): Command {
  const command = new Command('promises')
    .description('compare every promise with the truth over delays, budgets and people')
    .argument('<stream>', 'a generator or a path to a file')
    .option('--method <name>', 'the method the promises are about', 'pb-oel-plus')
    .option('--seed <n>', 'seed of the first run; repeats count up from it', integer(0, 2 ** 52), 1)
    .option('--repeats <n>', 'number of runs of each setting', integer(1, 100_000), 3)
    .option('--miss-target <share>', 'share of samples whose safe-side level may be too safe', number(1e-6, 0.5), 0.005)
    .option('--json', 'print one JSON document on stdout')
  for (const option of streamOptions()) command.addOption(option)
  return command.action(run).addHelpText(
    'after',
    `
Examples:
  $ pb-oel promises dive --repeats 3
  $ pb-oel promises dive:samples=2000 --method arf --repeats 500 --json`,
  )
}

async function run(address: string, options: PromisesCommandOptions): Promise<void> {
  const { method, seed, repeats, missTarget } = options
  const stream = openStream(address, options)
  const progress = new Progress()
  const rows: PromiseRow[] = []
  for (const [index, setting] of PROMISE_SETTINGS.entries()) {
    const runs: PromiseRun[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      runs.push(tryPromises(stream, setting, { method, seed: seed + repeat, missTarget }))
      progress.update(index * repeats + repeat + 1, PROMISE_SETTINGS.length * repeats, setting.name)
    }
    rows.push(summarisePromises(setting.name, runs))
  }
  progress.end()
  console.log(options.json ? JSON.stringify({ stream: address, method, missTarget, rows }) : inWords(rows, options))
}

function inWords(rows: readonly PromiseRow[], { method, missTarget, repeats }: PromisesCommandOptions): string {
  const shown = (value: number | undefined) => (value === undefined ? 'does not apply' : decimals(value))
  const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`
  return [
    `${method}: means over ${repeats === 1 ? '1 run' : `${repeats} runs`}; broken: share of runs in which the promise was ever untrue`,
    '',
    textTable(
      [
        'answers',
        'accuracy',
        'certified',
        'broken',
        'regret',
        'bound',
        'broken',
        `misses (target ${missTarget})`,
        'calibration error',
      ],
      rows.map((row) => [
        row.setting,
        ...[row.accuracy, row.certified].map(decimals),
        percent(row.certificateViolations),
        ...[row.regret, row.regretBound].map(shown),
        percent(row.regretViolations),
        ...[row.safeSideMisses, row.calibrationError].map(decimals),
      ]),
    ),
  ].join('\n')
}
