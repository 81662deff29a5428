import { openStream, type RunResult, runJob } from '@pb-oel/lab'
import { Command } from 'commander'
import { onInterrupt } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { count } from '../text-table.ts'

/** `pb-oel demo`: what `npm start` shows, one dive from start to end. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('watch PB-OEL learn on a simulated dive from right-or-wrong answers')
    .action(demo)
    .addHelpText('after', '\nExamples:\n  $ pb-oel demo')
}

const RHO = 0.02

async function demo(): Promise<void> {
  const stream = openStream('dive')
  console.log(
    `A simulated dive: ${count(stream.samples)} samples of ${stream.channels.length} sensors, levels ${stream.levels.join(', ')}.`,
  )
  console.log(
    `Ten networks assess every sample. The reviewer answers "right" or "wrong"; ${RHO * 100} % of samples get the level itself.\n`,
  )
  const progress = new Progress()
  const job = { stream: { address: 'dive' }, method: 'pb-oel', rho: RHO, seed: 1 }
  const { result } = await runJob(job, {
    signal: onInterrupt(),
    onProgress: ({ done, total, windowAccuracy, assessed, drifts }) =>
      progress.update(
        done,
        total,
        `now ${stream.levels[assessed]}; last 1,000 right ${(100 * windowAccuracy).toFixed(1)} %; ${drifts} refits`,
      ),
  })
  progress.end()
  console.log(summary(result, stream.samples))
}

function summary(result: RunResult, samples: number): string {
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  const { bound } = result
  return [
    `Right: ${percent(result.accuracy)} of ${count(samples)} samples, from ${count(result.labels)} full labels and right-or-wrong for the rest.`,
    `Wrong: ${count(result.misses)} misses (assessed safer than it was) and ${count(result.falseAlarms)} false alarms.`,
    `Drift: networks were refitted ${count(result.drifts)} times as the meaning of the sensors changed.`,
    bound.applies
      ? `Guarantee: an expected accuracy of at least ${percent(bound.value as number)}; the best networks alone reached ${percent(bound.ultimate as number)}.`
      : `Guarantee: does not apply (${bound.reason}).`,
    `For scale: repeating the last true level, which nobody knows in time, scores ${percent(result.noChange)}.`,
    `Speed: ${count(result.samplesPerSecond)} samples per second, assessed and learned, on one core.`,
    '',
    'Next: npx pb-oel run dive --rho 0 --repeats 3    npx pb-oel --help',
  ].join('\n')
}
