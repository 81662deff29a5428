import {
  PROMISE_SETTINGS,
  type PromiseRow,
  type PromiseStudy,
  settingsNamed,
  studyPromises,
  thisMachine,
} from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, number, STREAM_ARGUMENT, type StreamWords, streamOptions, words } from '../arguments.ts'
import { print, streamChoices, warn } from '../experiments.ts'
import { onInterrupt } from '../interrupt.ts'
import { duration, Progress } from '../progress.ts'
import { counted, decimals, textTable } from '../text-table.ts'

interface PromisesCommandOptions extends StreamWords {
  method: string
  settings?: string[]
  seed: number
  repeats: number
  streamSeeds?: boolean
  missTarget: number
  workers?: number
  out?: string
  json?: boolean
}

/** `pb-oel promises <stream>`: whether the promises hold over delays, budgets and people, and how much they say. */
export function promisesCommand(): Command {
  const command = new Command('promises')
    .description('compare every promise with the truth over delays, budgets and people')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--method <name>', 'the method the promises are about, or the path of a module', 'pb-oel-plus')
    .option(
      '--settings <names>',
      `delays, budgets and people, with commas between them (default: all of ${PROMISE_SETTINGS.map(({ id }) => id).join(', ')})`,
      words,
    )
    .option('--seed <n>', 'seed of the first run; repeats count up from it', integer(0, 2 ** 52), 1)
    .option('--repeats <n>', 'number of runs of each setting', integer(1, 100_000), 3)
    .option('--stream-seeds', 'each run has a stream of its own: the seed of the generator is that of the run')
    .option('--miss-target <share>', 'share of samples whose safe-side level may be too safe', number(1e-6, 0.5), 0.005)
    .option(
      '--workers <n>',
      'worker threads (default: one per core); the figures do not depend on it',
      integer(1, 1024),
    )
    .option('--out <folder>', 'write a report there: HTML, figures, tables, raw figures')
    .option('--json', 'print one JSON document on stdout, with the command, the machine and the date')
  for (const option of streamOptions()) command.addOption(option)
  return command.action(run).addHelpText(
    'after',
    `
A promise that was ever untrue in a run is broken in it; at 95 % at most one run in twenty may be.
Each finished setting is printed on stderr.

Examples:
  $ pb-oel promises dive --repeats 3 --out report                           all settings, with curves
  $ pb-oel promises dive:samples=500 --repeats 500 --stream-seeds --json    how often promises are broken
  $ pb-oel promises skab.csv.gz --settings at-once --miss-target 0.002      the safe-side level on a file
  $ pb-oel promises dive --method arf --settings checked-2,margin-5         the certificate of a rival`,
  )
}

async function run(address: string, options: PromisesCommandOptions): Promise<void> {
  const { method, seed, repeats, streamSeeds, missTarget, workers, settings, out } = options
  const start = performance.now()
  const reports = out === undefined ? undefined : await import('@pb-oel/lab/report')
  if (out !== undefined) reports?.prepareFolder(out)
  const progress = new Progress()
  const [stream] = streamChoices([address], options)
  const study = await studyPromises({
    ...{ stream, method, seed, repeats, streamSeeds, missTarget, workers },
    settings: settings && settingsNamed(settings),
    signal: onInterrupt(),
    onWarning: warn,
    onRun: (done, total, setting) => progress.update(done, total, setting.name),
    onRow: (row) => progress.say(rowInWords(row)),
  }).finally(() => progress.end())
  const seconds = Math.round((performance.now() - start) / 100) / 10
  if (reports && out !== undefined) {
    const path = reports.writePromisesReport(out, [study], seconds)
    process.stderr.write(`${path} (${duration(seconds)})\n`)
  }
  print(options.json, { command: commandLine(), machine: { ...thisMachine(), seconds }, ...withoutCurves(study) }, () =>
    inWords(study),
  )
}

/** What was typed, as far as this program sees it. */
function commandLine(): string {
  return ['pb-oel', ...process.argv.slice(2)].join(' ')
}

/** Curves are for drawing: they are in the report, not in the document. */
function withoutCurves(study: PromiseStudy) {
  return { ...study, rows: study.rows.map(({ curve, ...row }) => row) }
}

function rowInWords({ setting, runs, accuracy, certified, regretBound, notApplied, ...row }: PromiseRow): string {
  const certificate =
    certified === undefined
      ? `certificate does not apply (${notApplied.certificate})`
      : `certified ${decimals(certified)}, broken in ${percent(row.certificateViolations)}`
  const bound =
    regretBound === undefined
      ? `regret bound does not apply (${notApplied.regret})`
      : `regret at most ${decimals(regretBound)}, broken in ${percent(row.regretViolations)}, ` +
        `since a refit in ${percent(row.refitViolations)}`
  return `${setting}: ${counted(runs, 'run')}, accuracy ${decimals(accuracy)}; ${certificate}; ${bound}`
}

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`

function inWords({ stream, samples, method, missTarget, repeats, rows }: PromiseStudy): string[] {
  const shown = (value: number | undefined) => (value === undefined ? 'does not apply' : decimals(value))
  const broken = (value: number | undefined, share: number) => (value === undefined ? '–' : percent(share))
  return [
    `${method} on ${stream}: ${counted(samples, 'sample')}, means over ${counted(repeats, 'run')}`,
    'broken: share of runs in which the promise was ever untrue',
    '',
    textTable(
      [
        ...['answers', 'accuracy', 'certified', 'broken', 'regret', 'bound', 'broken', 'since a refit'],
        ...[`misses (target ${missTarget})`, 'calibration error', 'raw', 'fall alarms', 'false'],
      ],
      rows.map((row) => [
        row.setting,
        decimals(row.accuracy),
        shown(row.certified),
        broken(row.certified, row.certificateViolations),
        ...[row.regret, row.regretBound].map(shown),
        ...[row.regretViolations, row.refitViolations].map((share) => broken(row.regretBound, share)),
        ...[row.safeSideMisses, row.calibrationError, row.rawCalibrationError].map(decimals),
        ...[row.falls, row.falseFalls].map((value) => String(Number(value.toFixed(2)))),
      ]),
    ),
    ...reasons(rows),
  ]
}

/** Why a promise does not apply, setting by setting. */
function reasons(rows: readonly PromiseRow[]): string[] {
  const found = rows.flatMap(({ setting, notApplied: { certificate, regret } }) => [
    ...(certificate === undefined ? [] : [`the certificate does not apply to "${setting}": ${certificate}`]),
    ...(regret === undefined ? [] : [`the bound of the regret does not apply to "${setting}": ${regret}`]),
  ])
  return found.length > 0 ? ['', ...found] : []
}
