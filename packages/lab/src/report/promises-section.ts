import { certifiedOverTime, missesOverTime, regretOverTime, reliabilityCurve } from '../charts/promise-figures.ts'
import { streamLabel } from '../experiment/experiment.ts'
import { methodTitle } from '../experiment/method-names.ts'
import type { PromiseRow } from '../promises/promise-row.ts'
import type { PromiseStudy } from '../promises/promise-study.ts'
import { listed, type ReportFigure, type ReportSection, type ReportTable, slug, three } from './report.ts'

/** Every promise beside the truth on one stream: a table of all settings, and curves over time. */
export function promisesSection(study: PromiseStudy): ReportSection {
  const { rows, missTarget } = study
  const stream = streamLabel(study.stream)
  const figure = (name: string, caption: string, panels: (string | undefined)[]): ReportFigure[] => {
    const drawn = panels.filter((panel) => panel !== undefined)
    if (drawn.length === 0) return []
    const shape = { kind: 'figure' as const, columns: 2, panels: drawn, description: `${caption.split('.')[0]}.` }
    return [{ ...shape, name: `promises-${name}-${slug(stream)}`, caption: `${caption} ${means(study)}` }]
  }
  return {
    heading: `Promises on ${stream}`,
    paragraphs: [...promiseFindings(study), ...notApplied(rows)],
    items: [
      promisesTable(study, stream),
      ...figure(
        'accuracy',
        'Promise C: certified accuracy beside the true one, of all samples so far and of the latest ones. It is broken where a dashed line is above its solid one.',
        rows.map(certifiedOverTime),
      ),
      ...figure(
        'regret',
        'Promise B: how much better any expert can have been, beside the truth. Below zero the ensemble beat every expert.',
        rows.map(regretOverTime),
      ),
      ...figure(
        'misses',
        `Promise D: share of the samples so far whose safe-side level was safer than the truth, against its target ${missTarget}.`,
        rows.map((row) => missesOverTime(row, missTarget)),
      ),
      ...figure(
        'reliability',
        'Promise E: share of right assessments over the confidence shown, raw and recalibrated, in ten bins. Bins with fewer than 0.2 % of the samples are left out.',
        rows.map(reliabilityCurve),
      ),
    ],
  }
}

/** What a reader who reads nothing else should know. */
export function promiseFindings({ stream, method, repeats, rows, missTarget }: PromiseStudy): string[] {
  const worst = (pick: (row: PromiseRow) => number) => percent(Math.max(...rows.map(pick)))
  const kept = rows.filter(({ safeSideMisses }) => safeSideMisses <= 1.2 * missTarget)
  const runs = repeats === 1 ? '1 run' : `${repeats} runs`
  return [
    `Promises of ${methodTitle(method)} on ${streamLabel(stream)}, ${rows.length} kinds of answers, ${runs} each: the certified accuracy was ever above the truth in at most ${worst((row) => row.certificateViolations)} of the runs of a setting, the bound of the regret ever below it in at most ${worst((row) => row.regretViolations)}; 5 % are allowed.`,
    `The safe-side level misses no more than 1.2 times its target ${missTarget} with ${kept.length} of ${rows.length} kinds of answers${kept.length < rows.length ? `; not with ${listed(rows.filter((row) => !kept.includes(row)).map(({ setting }) => `“${setting}”`))}, where few answers come, they come late, or they are wrong` : ''}.`,
  ]
}

function notApplied(rows: readonly PromiseRow[]): string[] {
  const told = rows.flatMap(({ setting, notApplied: { certificate, regret } }) => [
    ...(certificate === undefined ? [] : [`promise C with “${setting}” (${certificate})`]),
    ...(regret === undefined ? [] : [`promise B with “${setting}” (${regret})`]),
  ])
  return told.length === 0 ? [] : [`These promises say that they do not apply: ${listed(told)}.`]
}

function promisesTable(study: PromiseStudy, stream: string): ReportTable {
  return {
    kind: 'table',
    name: `promises-${slug(stream)}`,
    caption: `Every promise beside the truth on ${stream} at the end of the stream. Broken: share of runs in which the promise was ever untrue. An alarm of a fall is false when the latest 1,000 samples were as accurate as is to be kept. ${means(study)}`,
    header: [
      ...['answers', 'accuracy', 'C: certified', 'broken', 'regret', 'B: at most', 'broken'],
      ...[`D: misses, target ${study.missTarget}`, 'E: calibration error', 'raw', 'F: alarms', 'false'],
    ],
    rows: study.rows.map((row) => [
      { text: row.setting },
      { text: three(row.accuracy) },
      ...pair(row.certified, row.certificateViolations),
      { text: row.regret === undefined ? '–' : four(row.regret) },
      ...pair(row.regretBound, row.regretViolations),
      ...[row.safeSideMisses, row.calibrationError, row.rawCalibrationError].map((value) => ({ text: four(value) })),
      ...[row.falls, row.falseFalls].map((value) => ({ text: String(Number(value.toFixed(2))) })),
    ]),
  }
}

/** A promise and the share of runs in which it was broken. */
function pair(value: number | undefined, broken: number) {
  if (value === undefined) return [{ text: 'does not apply' }, { text: '–' }]
  return [{ text: four(value), strong: true }, { text: percent(broken) }]
}

const four = (value: number): string => value.toFixed(4).replace('-', '−')
const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`
const means = ({ method, repeats }: PromiseStudy): string =>
  `${methodTitle(method)}, ρ = 0, ${repeats === 1 ? '1 run' : `mean over ${repeats} runs`}.`
