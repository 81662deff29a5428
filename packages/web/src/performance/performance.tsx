import type { ProgressPoint, SystemDetail } from '@pb-oel/protocol'
import { palette } from '../charts/palette.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { guessedAccuracy } from '../promises/guessing.ts'
import { PromiseList } from '../promises/promise-list.tsx'
import { momentLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { moment, percent } from '../strings/format.ts'
import { Figures } from './figures.tsx'
import { ProgressLegend, type ProgressLine, ProgressPlot } from './progress-plot.tsx'

const words = text.live

/** Accuracy so far, what is promised, and the weights of the experts. */
export function Performance({ feed, detail }: { feed: SystemFeed; detail: SystemDetail }) {
  const points = feed.progress.points.value
  const guarantee = feed.guarantee.value
  return (
    <>
      <section class="card" aria-labelledby="performance-title">
        <header class="card-head">
          <h2 id="performance-title">{words.performance}</h2>
        </header>
        <Figures detail={detail} report={guarantee?.promises} />
        {detail.accuracy === null && <p class="muted">{words.noAnswers}</p>}
        {detail.trained && <AccuracyProgress system={feed.id} points={points} levels={detail.levels.length} />}
      </section>
      <section class="card" aria-labelledby="promises-title">
        <header class="card-head">
          <h2 id="promises-title">{text.promises.title}</h2>
        </header>
        {guarantee && <PromiseList guarantee={guarantee} configuration={detail.configuration} />}
      </section>
      <section class="card" aria-labelledby="weights-title">
        <header class="card-head">
          <h2 id="weights-title">{words.weights}</h2>
        </header>
        <Weights points={points} />
      </section>
    </>
  )
}

interface AccuracyProgressProps {
  system: string
  points: readonly ProgressPoint[]
  levels: number
}

function AccuracyProgress({ system, points, levels: count }: AccuracyProgressProps) {
  const { series, ink, accent, levels } = palette.value
  const line = (
    name: string,
    field: keyof ProgressPoint,
    color: string,
    dash?: number[],
    width?: number,
  ): ProgressLine => ({
    name,
    color,
    dash,
    width,
    values: points.map((point) => {
      const value = point[field] as number | null | undefined
      // A bound that says less than guessing promises nothing and would flatten all other lines.
      const bound = field === 'value' || field === 'certified'
      const silent = bound && ((field === 'value' && !point.applies) || (value ?? 0) <= guessedAccuracy(count))
      return value === undefined || value === null || value < 0 || silent ? null : value
    }),
  })
  const lines = [
    line(words.lines.recent, 'recentAccuracy', accent, undefined, 2),
    line(words.lines.accuracy, 'accuracy', ink),
    line(words.lines.certified, 'certified', series[2], [4, 2]),
    line(words.lines.best, 'bestExpertAccuracy', series[4], [6, 3]),
    line(words.lines.ultimate, 'ultimate', series[1], [2, 3]),
    line(words.lines.value, 'value', levels[2], [8, 3, 2, 3]),
  ].filter(({ values }) => values.some((value) => value !== null))
  if (lines.length === 0) return null
  const limits: [number, number] = [0, 1]
  const goTo = ({ sequence }: ProgressPoint) => {
    location.hash = momentLink(system, sequence)
  }
  const lowest = lowestOf(points)
  return (
    <>
      <ProgressPlot
        times={points.map(({ time }) => time)}
        lines={lines}
        label={text.charts.progress}
        height={190}
        format={(value) => percent(value, 0)}
        limits={limits}
        onPoint={(index) => goTo(points[index])}
      />
      <ProgressLegend lines={lines} format={percent} />
      {lowest && (
        <p class="small">
          <a href={momentLink(system, lowest.sequence)}>
            {words.lowest(percent(lowest.recentAccuracy), moment(lowest.time))}
          </a>
        </p>
      )}
    </>
  )
}

/** Where the accuracy of the latest answers was lowest, once as many have been given: a link for keyboards, too. */
function lowestOf(points: readonly ProgressPoint[]): ProgressPoint | undefined {
  const settled = points.slice(Math.floor(points.length / 10)).filter(({ recentAccuracy }) => recentAccuracy !== null)
  if (settled.length < 3) return undefined
  return settled.reduce((low, point) => ((point.recentAccuracy ?? 1) < (low.recentAccuracy ?? 1) ? point : low))
}

function Weights({ points }: { points: readonly ProgressPoint[] }) {
  const { series } = palette.value
  const known = points.filter(({ weights }) => weights !== undefined)
  const experts = known.at(-1)?.weights?.length ?? 0
  if (experts === 0) return <p class="muted">{words.weightsMissing}</p>
  const lines: ProgressLine[] = Array.from({ length: experts }, (_, expert) => ({
    name: words.expert(expert),
    color: series[expert % series.length],
    dash: expert % 2 === 1 ? [6, 3] : undefined,
    values: known.map(({ weights }) => weights?.[expert] ?? null),
  }))
  return (
    <>
      <ProgressPlot
        times={known.map(({ time }) => time)}
        lines={lines}
        label={text.charts.weights}
        height={170}
        format={(value) => percent(value, 1)}
        limits={[0, 1]}
      />
      <ProgressLegend lines={lines} format={percent} />
    </>
  )
}
