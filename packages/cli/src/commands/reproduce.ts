import { existsSync } from 'node:fs'
import {
  accuracyTables,
  dataSetPath,
  findDataSet,
  quickReproduction,
  REPORT_SETTINGS,
  reproduction,
  tableJson,
} from '@pb-oel/lab'
import { Command } from 'commander'
import { accuracyText } from '../accuracy-text.ts'
import { type StreamWords, streamOptions } from '../arguments.ts'
import { type ExperimentOptions, print, runSet, streamChoices, withExperimentOptions } from '../experiments.ts'

type ReproduceOptions = ExperimentOptions & StreamWords & { quick?: boolean }

/** `pb-oel reproduce`: all tables and figures of the paper and one report. */
export function reproduceCommand(): Command {
  const command = new Command('reproduce')
    .description('all tables and figures of the paper, and the promises, in one report')
    .argument('[streams...]', 'generators, files or modules (default: dive, and jiaolong when it has been downloaded)')
    .option('--quick', 'the same in small, in about a minute: short streams, two runs, a coarse grid')
  withExperimentOptions(command)
  for (const option of streamOptions()) command.addOption(option)
  return command.action(reproduce).addHelpText(
    'after',
    `
Examples:
  $ pb-oel reproduce --quick --out report
  $ pb-oel reproduce --out report
  $ pb-oel reproduce dive skab.csv.gz electricity.csv.gz weather.csv.gz --out report`,
  )
}

async function reproduce(addresses: string[], options: ReproduceOptions): Promise<void> {
  const { quick = false } = options
  const streams = streamChoices(addresses.length > 0 ? addresses : atHand(), {
    ...(quick && { samples: QUICK_SAMPLES }),
    ...options,
  })
  const parts = quick ? quickReproduction(streams) : reproduction(streams)
  const title = `PB-OEL: the paper’s evaluation reproduced${quick ? ', in small' : ''}`
  const promises = streams.map((stream) => ({
    ...{ stream, settings: REPORT_SETTINGS, repeats: quick ? 1 : 3 },
    // With 0 the other work is left to other machines.
    ...(options.workers !== undefined && { workers: Math.max(1, options.workers) }),
  }))
  const results = await runSet({ title, parts }, { ...options, out: options.out ?? 'report' }, promises)
  const tables = accuracyTables(results[0])
  print(options.json, { streams: tables.map(tableJson) }, () => tables.flatMap((table) => [...accuracyText(table), '']))
}

const QUICK_SAMPLES = 6000

/** The simulated dive, and the recorded one when it is there. */
function atHand(): string[] {
  const recorded = findDataSet('jiaolong')
  return recorded && existsSync(dataSetPath(recorded)) ? ['dive', 'jiaolong'] : ['dive']
}
