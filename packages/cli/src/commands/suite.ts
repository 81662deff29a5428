import { statSync } from 'node:fs'
import { OptionError } from '@pb-oel/core'
import {
  accuracyTables,
  compareSuite,
  folderStreams,
  type Suite,
  type SuiteShare,
  streamLabel,
  suiteExperiment,
  suiteJson,
  suiteMethods,
  twoLevelsWords,
} from '@pb-oel/lab'
import { Command } from 'commander'
import { numbers, words } from '../arguments.ts'
import { print, runSet, type StreamExperimentOptions, streamChoices, withStreamOptions } from '../experiments.ts'
import { counted, textTable } from '../text-table.ts'

interface SuiteOptions extends StreamExperimentOptions {
  methods?: string[]
  rho: number[]
  skip?: string[]
}

/** `pb-oel suite <folder…>`: methods over many streams. */
export function suiteCommand(): Command {
  const command = new Command('suite')
    .description('compare methods over many streams: ranks, critical difference, worst gap')
    .argument('<sources...>', 'folders of stream files; single streams may stand beside them')
    .option(
      '--methods <names>',
      `methods or paths of modules, with commas between them (default: ${suiteMethods().join(',')})`,
      words,
    )
    .option('--rho <shares>', 'shares of full labels', numbers(0, 1), [0, 0.05, 1])
    .option('--skip <names>', 'streams to leave out, by the names of their files without the ending', words)
  return withStreamOptions(command, 3)
    .action(suite)
    .addHelpText(
      'after',
      `
Each share of labels is compared on its own. A run that is stopped goes on where it was: finished runs are kept.

Examples:
  $ pb-oel suite streams --methods pb-oel-plus,srp,arf,no-change
  $ pb-oel suite streams dive --samples 5000 --repeats 1      every stream shortened, and the dive
  $ pb-oel suite streams --skip notes --out report            a page for each share of labels
  $ pb-oel suite streams --json`,
    )
}

async function suite(sources: string[], options: SuiteOptions): Promise<void> {
  const { methods, rho, repeats, seed, skip = [] } = options
  const addresses = chosen(sources, skip)
  const part = suiteExperiment(streamChoices(addresses, options), { ...(methods && { methods }), rho, repeats, seed })
  const title = `${counted(part.methods.length, 'method')} on ${counted(addresses.length, 'stream')}`
  const [results] = await runSet({ title, parts: [part] }, options)
  const tables = accuracyTables(results)
  const compared = compareSuite(tables)
  print(options.json, suiteJson(compared, tables), () => suiteText(compared, repeats))
}

/** The streams of all sources without the skipped ones. */
function chosen(sources: readonly string[], skip: readonly string[]): string[] {
  const all = sources.flatMap((source) =>
    statSync(source, { throwIfNoEntry: false })?.isDirectory() ? folderStreams(source) : [source],
  )
  const names = all.map(streamLabel)
  const unknown = skip.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new OptionError('--skip', unknown, `among ${names.join(', ')}`)
  const left = all.filter((_, i) => !skip.includes(names[i]))
  if (left.length === 0) throw new OptionError('--skip', skip.join(','), 'fewer streams than there are')
  return left
}

function suiteText(suite: Suite, repeats: number): string[] {
  const streams = counted(suite.streams.length, 'stream')
  const note = twoLevelsWords(suite)
  return [
    `${counted(suite.methods.length, 'method')} on ${streams}, mean of ${counted(repeats, 'run')}: ${suite.streams.join(', ')}`,
    ...suite.shares.flatMap((share) => ['', ...shareText(share, suite.streams.length)]),
    ...(note === '' ? [] : ['', note]),
  ]
}

function shareText({ rho, standings, test }: SuiteShare, streams: number): string[] {
  const rows = standings.map(({ method, rank, first, mean, worstGap, worstStream }) => [
    method,
    rank.toFixed(2),
    `${first}/${streams}`,
    mean.toFixed(4),
    worstGap.toFixed(4),
    worstGap > 0 ? worstStream : '–',
  ])
  return [
    test ? `ρ = ${rho}, critical difference of mean ranks ${test.criticalDifference.toFixed(2)}` : `ρ = ${rho}`,
    textTable(['method', 'mean rank', 'first', 'mean', 'worst gap', 'on'], rows),
  ]
}
