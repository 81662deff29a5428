import { boundOverTime } from '../charts/figures.ts'
import { methodTitle } from '../experiment/method-names.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean } from '../statistics/summary.ts'
import { type ReportSection, type ReportTable, slug, three } from './report.ts'
import { boundWords } from './words.ts'

/** Guarantee and reality of each policy. */
export function boundSections(results: readonly ExperimentResult[]): ReportSection[] {
  const bounded = results.filter(({ result }) => result.bound.value !== null)
  return [...Map.groupBy(bounded, ({ streamName }) => streamName)].map(([stream, runs]) => {
    const groups = [...Map.groupBy(runs, ({ label, job }) => `${label}|${job.rho}`).values()]
    return {
      heading: `Guarantee and reality on ${stream}`,
      paragraphs: [boundWords(runs)],
      items: [
        {
          kind: 'figure',
          name: `bounds-${slug(stream)}`,
          caption: `What each policy was promised and what it reached on ${stream}: accuracy, the best single expert, the ultimate bound (best expert of each batch) and the guaranteed expected accuracy (Theorem 1, Corollaries 1 and 2). Triangles: refitted networks. Dotted lines: restarts of the weights.`,
          description:
            'Line charts of accuracy, best expert, ultimate bound and guarantee over time, one per policy and share of labels.',
          panels: groups.map(boundOverTime),
          columns: 2,
        },
        boundTable(stream, groups),
      ],
    }
  })
}

function boundTable(stream: string, groups: readonly ExperimentResult[][]): ReportTable {
  return {
    kind: 'table',
    name: `bounds-${slug(stream)}`,
    caption: `Guarantee and reality on ${stream} at the end of the stream, mean over runs. The guarantee holds for the expected accuracy.`,
    header: ['policy', 'ρ', 'accuracy', 'best expert', 'ultimate bound', 'regret paid', 'guaranteed', 'applies'],
    rows: groups.map((runs) => {
      const average = (pick: (result: ExperimentResult) => number | null) =>
        three(mean(runs.map((run) => pick(run) as number)))
      const [{ label, job }] = runs
      const applying = runs.filter(({ result }) => result.bound.applies).length
      return [
        { text: methodTitle(label), strong: label === 'pb-oel' },
        { text: String(job.rho) },
        { text: average(({ result }) => result.accuracy), strong: true },
        { text: average(({ result }) => result.bound.bestExpert) },
        { text: average(({ result }) => result.bound.ultimate) },
        { text: average(({ result }) => result.bound.regret).replace('-', '−') },
        { text: average(({ result }) => result.bound.value).replace('-', '−') },
        { text: applying === runs.length ? 'yes' : applying === 0 ? 'no' : `${applying} of ${runs.length}` },
      ]
    }),
  }
}
