import { boundsExperiment, type ExperimentResult, mean, streamLabel } from '@pb-oel/lab'
import { Command } from 'commander'
import { numbers, STREAM_ARGUMENT } from '../arguments.ts'
import { print, runSet, type StreamExperimentOptions, streamChoices, withStreamOptions } from '../experiments.ts'
import { counted, decimals, textTable } from '../text-table.ts'

interface BoundsOptions extends StreamExperimentOptions {
  rho?: number[]
}

/** `pb-oel bounds <stream>`: what the theorems promise the three policies, and what they reach. */
export function boundsCommand(): Command {
  const command = new Command('bounds')
    .description('accuracy, best expert, ultimate bound and guarantee of the three policies over time')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--rho <shares>', 'shares of full labels (default: 0,0.1,1)', numbers(0, 1))
  return withStreamOptions(command, 3)
    .action(bounds)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel bounds dive --out report
  $ pb-oel bounds dive:samples=60000 --rho 0 --repeats 1 --json`,
    )
}

async function bounds(address: string, options: BoundsOptions): Promise<void> {
  const { rho, repeats, seed } = options
  const part = boundsExperiment(streamChoices([address], options), { ...(rho && { rho }), repeats, seed })
  const [results] = await runSet({ title: `Guarantee and reality on ${streamLabel(address)}`, parts: [part] }, options)
  const rows = [...Map.groupBy(results, ({ label, job }) => `${label}|${job.rho}`).values()].map(row)
  print(options.json, { stream: address, rows }, () => [
    `${address}: mean over ${counted(repeats, 'run')}; the expected accuracy is at least what is guaranteed`,
    '',
    textTable(
      ['policy', 'ρ', 'accuracy', 'best expert', 'ultimate', 'regret', 'guaranteed', 'applies'],
      rows.map((row) => [
        row.method,
        String(row.rho),
        ...[row.accuracy, row.bestExpert, row.ultimate, row.regret, row.value].map(decimals),
        row.applies ? 'yes' : `no: ${row.reason}`,
      ]),
    ),
  ])
}

function row(runs: ExperimentResult[]) {
  const [{ label, job }] = runs
  const average = (pick: (result: ExperimentResult) => number | null) => mean(runs.map((run) => pick(run) as number))
  const broken = runs.find(({ result }) => !result.bound.applies)
  return {
    method: label,
    rho: job.rho,
    accuracy: average(({ result }) => result.accuracy),
    bestExpert: average(({ result }) => result.bound.bestExpert),
    ultimate: average(({ result }) => result.bound.ultimate),
    regret: average(({ result }) => result.bound.regret),
    value: average(({ result }) => result.bound.value),
    applies: broken === undefined,
    ...(broken && { reason: broken.result.bound.reason }),
  }
}
