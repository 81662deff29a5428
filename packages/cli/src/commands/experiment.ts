import { accuracyTables, loadExperiment, tableJson } from '@pb-oel/lab'
import { Command } from 'commander'
import { accuracyText } from '../accuracy-text.ts'
import { type ExperimentOptions, print, runSet, withExperimentOptions } from '../experiments.ts'

/** `pb-oel experiment <file>`: streams × methods × options × ρ × seeds from a file. */
export function experimentCommand(): Command {
  const command = new Command('experiment')
    .description('run an experiment from a file: streams × methods × options × ρ × seeds')
    .argument('<file>', 'JSON, or a module (.ts, .mts, .js, .mjs) with the experiment as default export')
  return withExperimentOptions(command)
    .action(experiment)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel experiment seeds.json --out report
  $ pb-oel experiment compare.ts --workers 2 --json

A file: { "title": "Two drifts", "streams": ["dive", "abrupt:at=5000+sea+sea:concept=2"], "rho": [0, 0.1],
  "methods": ["pb-oel", { "method": "./mine.ts", "options": { "depth": 3 } }], "repeats": 3 }`,
    )
}

async function experiment(file: string, options: ExperimentOptions): Promise<void> {
  const set = await loadExperiment(file)
  const results = await runSet(set, options)
  const parts = results.map((part, i) => ({ title: set.parts[i].title ?? set.title, tables: accuracyTables(part) }))
  const document = {
    title: set.title,
    parts: parts.map(({ title, tables }) => ({ title, streams: tables.map(tableJson) })),
  }
  print(options.json, document, () =>
    parts.flatMap(({ title, tables }) => [title, '', ...tables.flatMap((table) => [...accuracyText(table), ''])]),
  )
}
