import { type RobustnessRow, robustnessExperiment, robustnessTable, thisMachine } from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, number, words } from '../arguments.ts'
import { type ExperimentOptions, print, runSet, withExperimentOptions } from '../experiments.ts'
import { textTable } from '../text-table.ts'

interface Options extends ExperimentOptions {
  methods?: string[]
  samples?: number
  repeats?: number
  seed?: number
  rho?: number
}

/** `pb-oel robustness`: how methods bear awkward data. */
export function robustnessCommand(): Command {
  const command = new Command('robustness')
    .description('compare methods on awkward data: scales, dead channels, missing values, rare levels, many channels')
    .option('--methods <names>', 'methods or modules, with commas between them', words)
    .option('--samples <n>', 'length of each stream (default: 5000)', integer(100, 1e9))
    .option('--rho <share>', 'share of samples with a full label (default: 0.1)', number(0, 1))
    .option('--repeats <n>', 'runs of each combination (default: 3)', integer(1, 10_000))
    .option('--seed <n>', 'first seed (default: 1)', integer(0, 2 ** 52))
  return withExperimentOptions(command)
    .action(run)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel robustness
  $ pb-oel robustness --methods pb-oel-plus,srp,./mine.ts --samples 2000 --repeats 1 --json`,
    )
}

async function run(options: Options): Promise<void> {
  const start = performance.now()
  const experiment = robustnessExperiment(options)
  const [results] = await runSet({ title: 'Robustness', parts: [experiment] }, options)
  const rows = robustnessTable(results)
  const seconds = Math.round((performance.now() - start) / 100) / 10
  const command = ['pb-oel', ...process.argv.slice(2)].join(' ')
  print(options.json, { command, machine: { ...thisMachine(), seconds }, rows }, () => inWords(rows))
}

function inWords(rows: readonly RobustnessRow[]): string[] {
  const figure = (value: number) => value.toFixed(3)
  const head = ['accuracy / macro-F1', ...rows[0].cells.map(({ method }) => method)]
  const body = rows.map(({ title, cells }) => [
    title,
    ...cells.map(({ accuracy, macroF1 }) => `${figure(accuracy)} / ${figure(macroF1)}`),
  ])
  return [textTable(head, body)]
}
