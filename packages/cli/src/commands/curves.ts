import { accuracyTables, averageCurve, streamLabel, tableExperiment } from '@pb-oel/lab'
import { Command } from 'commander'
import { accuracyText } from '../accuracy-text.ts'
import { numbers, STREAM_ARGUMENT, words } from '../arguments.ts'
import { print, runSet, type StreamExperimentOptions, streamChoices, withStreamOptions } from '../experiments.ts'

interface CurvesOptions extends StreamExperimentOptions {
  methods?: string[]
  rho?: number[]
}

/** `pb-oel curves <stream>`: the paper's Figs. 4 and 5. */
export function curvesCommand(): Command {
  const command = new Command('curves')
    .description('accuracy over the share of labels and over time: Figs. 4 and 5 of the paper')
    .argument('<stream>', STREAM_ARGUMENT)
    .option(
      '--methods <names>',
      'methods or paths of modules, with commas between them (default: those of the table)',
      words,
    )
    .option('--rho <shares>', 'shares of full labels (default: those of the table)', numbers(0, 1))
  return withStreamOptions(command, 3)
    .action(curves)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel curves dive --out report
  $ pb-oel curves dive --methods pb-oel,srp --rho 0,0.05 --json`,
    )
}

async function curves(address: string, options: CurvesOptions): Promise<void> {
  const { methods, rho, repeats, seed } = options
  const part = tableExperiment(streamChoices([address], options), {
    ...(methods && { methods }),
    ...(rho && { rho }),
    repeats,
    seed,
  })
  const [results] = await runSet(
    { title: `Accuracy over labels and time on ${streamLabel(address)}`, parts: [part] },
    options,
  )
  const [table] = accuracyTables(results)
  const document = {
    stream: address,
    curves: table.cells.map(({ method, rho, results }) => {
      const [prequential, latest] = (['accuracy', 'window'] as const).map((quantity) => averageCurve(results, quantity))
      return {
        method,
        rho,
        samples: prequential?.samples,
        prequential: { mean: prequential?.mean, std: prequential?.std },
        latest1000: { mean: latest?.mean, std: latest?.std },
      }
    }),
  }
  const hint = options.out === undefined ? ['', '--out <folder> draws the curves, --json prints them'] : []
  print(options.json, document, () => [...accuracyText(table), ...hint])
}
