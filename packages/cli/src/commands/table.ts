import { accuracyTables, streamLabel, tableExperiment, tableJson, tableMethods } from '@pb-oel/lab'
import { Command } from 'commander'
import { accuracyText } from '../accuracy-text.ts'
import { numbers, words } from '../arguments.ts'
import { print, runSet, type StreamExperimentOptions, streamChoices, withStreamOptions } from '../experiments.ts'
import { type PeopleOptions, peopleOf, peopleOptions } from '../people.ts'

interface TableOptions extends StreamExperimentOptions, PeopleOptions {
  methods?: string[]
  rho?: number[]
}

/** `pb-oel table <stream…>`: the paper's Table I. */
export function tableCommand(): Command {
  const command = new Command('table')
    .description('compare methods over shares of labels: Table I of the paper')
    .argument('<streams...>', 'generators, files or modules; several are also compared together')
    .option(
      '--methods <names>',
      `methods or paths of modules, with commas between them; \`pb-oel methods\` lists them (default: ${tableMethods().join(',')})`,
      words,
    )
    .option('--rho <shares>', 'shares of full labels (default: 0,0.01,0.02,0.03,0.04,0.05,0.1,0.6,1)', numbers(0, 1))
  for (const option of peopleOptions()) command.addOption(option)
  return withStreamOptions(command, 3)
    .action(table)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel table dive --methods pb-oel,srp,arf --rho 0,0.05,1
  $ pb-oel table dive electricity.csv.gz --out report      two streams, with a critical-difference diagram
  $ pb-oel table dive --methods pb-oel-plus,pb-oel --ask margin:50       5 % of the samples asked about
  $ pb-oel table plant.parquet --label state --methods pb-oel,./my-method.ts --json`,
    )
}

async function table(addresses: string[], options: TableOptions): Promise<void> {
  const { methods, rho, repeats, seed } = options
  const streams = streamChoices(addresses, options)
  const people = peopleOf(options)
  const shares = rho ?? (people?.ask ? [0] : undefined)
  const part = tableExperiment(streams, {
    ...(methods && { methods }),
    ...(shares && { rho: shares }),
    ...(people && { people }),
    repeats,
    seed,
  })
  const [results] = await runSet(
    { title: `Table I on ${addresses.map(streamLabel).join(', ')}`, parts: [part] },
    options,
  )
  const tables = accuracyTables(results)
  const documents = tables.map(tableJson)
  print(options.json, documents.length === 1 ? documents[0] : { streams: documents }, () =>
    tables.flatMap((table, i) => [...(i > 0 ? [''] : []), ...accuracyText(table)]),
  )
}
