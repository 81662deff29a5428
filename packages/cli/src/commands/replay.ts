import { loadExtensions, modulesWithin } from '@pb-oel/lab'
import type { ReplayReport, WhatIfReport } from '@pb-oel/server'
import { Command } from 'commander'
import { integer, moduleOption, setting } from '../arguments.ts'
import { print } from '../experiments.ts'
import { openReader, systemsOf } from '../stores.ts'
import { count, counted, decimals } from '../text-table.ts'

interface Options {
  cluster?: string
  system?: string
  at?: number
  whatIf?: string
  set?: Record<string, unknown>
  module?: string[]
  json?: boolean
}

/** `pb-oel replay`: the log is the truth, and this proves it. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('rebuild every system from its log, verify the chain, compare every recorded assessment')
    .argument('<store>', 'file of the store, or nats://… of a cluster; running servers may have it open')
    .option('--cluster <name>', 'which cluster of these NATS servers (default: pb-oel)')
    .option('--system <name>', 'only this system')
    .option('--at <n>', 'stop after this record and show the state', integer(1, Number.MAX_SAFE_INTEGER))
    .option('--what-if <method>', 'run another method over the same samples and answers, and compare')
    .option('--set <name=value>', 'an option of that method; may be repeated', setting)
    .addOption(moduleOption())
    .option('--json', 'print one JSON document on stdout')
    .action(run)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel replay pb-oel.db
  $ pb-oel replay nats://127.0.0.1:4222
  $ pb-oel replay pb-oel.db --system dive --at 5000
  $ pb-oel replay pb-oel.db --what-if pb-oel --set c=0.5 --json`,
    )
}

async function run(store: string, options: Options): Promise<void> {
  const { replaySystem, verifyServerLog, whatIf } = await import('@pb-oel/server')
  const extensions = await loadExtensions([...(options.module ?? []), ...modulesWithin([options.whatIf, options.set])])
  const log = await openReader(store, options.cluster)
  try {
    const systems = await systemsOf(log, store, options.system)
    if (options.whatIf !== undefined || options.set !== undefined) {
      const reports: WhatIfReport[] = []
      for (const system of systems)
        reports.push(await whatIf(log, system, { method: options.whatIf, options: options.set }, extensions))
      print(options.json, { systems: reports }, () => reports.map(comparison))
      return
    }
    const reports: ReplayReport[] = []
    for (const system of systems) reports.push(await replaySystem(log, system, options.at, extensions))
    const damage = await verifyServerLog(log)
    const shown = reports.map(({ fold, ...report }) => ({
      ...report,
      ...(options.at !== undefined && fold && { state: state(fold) }),
    }))
    print(options.json, { systems: shown }, () => shown.map(verdict))
    if (damage) process.stderr.write(`${damage.message}\n`)
    if (damage || reports.some(({ difference }) => difference)) process.exitCode = 1
  } finally {
    await log.close()
  }
}

function state(fold: NonNullable<ReplayReport['fold']>) {
  const { sequence, time, tally, alarms, recent: assessments, lastValues } = fold
  const alarm = alarms.state('level')
  const { recent: _, ...counts } = tally
  return { sequence, time, counts, alarm, latest: assessments.latest, lastValues, guarantee: fold.model.guarantee() }
}

function verdict(report: Omit<ReplayReport, 'fold'> & { state?: object }): string {
  const { system, from, to, assessments, difference, stateHash } = report
  if (difference) return `${system}: DIFFERENT at record ${difference.sequence}: ${difference.message}`
  const lines = [
    `${system}: records ${from} to ${to}, chain intact, ${count(assessments)} assessments the same, state ${stateHash}`,
  ]
  if (report.state) lines.push(JSON.stringify(report.state, null, 2))
  return lines.join('\n')
}

function comparison({
  system,
  method,
  samples,
  excluded,
  agreement,
  comparable,
  undecided,
  recordedAccuracy,
  whatIfAccuracy,
}: WhatIfReport): string {
  return [
    `${system} with ${method}: the same level for ${count(agreement)} of ${counted(samples, 'sample')}`,
    `  right by ${counted(comparable, 'answer')} about both models: recorded ${decimals(recordedAccuracy)}, what if ${decimals(whatIfAccuracy)}`,
    `  ${counted(undecided, 'answer')} about the recorded model only`,
    ...(excluded > 0 ? [`  ${counted(excluded, 'excluded sample')} left out`] : []),
  ].join('\n')
}
