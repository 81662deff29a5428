import type { Guarantee, ProgressPoint, SystemDetail } from '@pb-oel/protocol'
import { palette } from '../charts/palette.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { systemLink } from '../router.ts'
import { mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { count, percent } from '../strings/format.ts'
import { guaranteeWords } from './guarantee-words.ts'
import { ProgressLegend, type ProgressLine, ProgressPlot } from './progress-plot.tsx'

const words = text.live

/** Accuracy so far, the guarantee, and the weights of the experts. */
export function Performance({ feed, detail }: { feed: SystemFeed; detail: SystemDetail }) {
  const points = feed.progress.points.value
  const guarantee = feed.guarantee.value
  return (
    <>
      <section class="card" aria-labelledby="performance-title">
        <header class="card-head">
          <h2 id="performance-title">{words.performance}</h2>
        </header>
        <Counts detail={detail} system={feed.id} />
        {detail.accuracy === null && <p class="muted">{words.noAnswers}</p>}
        <AccuracyProgress points={points} />
        {guarantee && <GuaranteeStatus guarantee={guarantee} />}
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

function Counts({ detail, system }: { detail: SystemDetail; system: string }) {
  const { right, wrong, misses, falseAlarms, drifts } = detail.counts
  return (
    <dl class="figures">
      <div class="wide">
        <dt>{words.lines.recent}</dt>
        <dd class="number large">{percent(detail.recentAccuracy)}</dd>
        <dd class="muted number">
          {count(right)} {words.counts.right}, {count(wrong)} {words.counts.wrong}
        </dd>
      </div>
      <Figure name={words.counts.misses} value={misses} hint={words.counts.missesHint} />
      <Figure name={words.counts.falseAlarms} value={falseAlarms} hint={words.counts.falseAlarmsHint} />
      <Figure name={words.counts.drifts} value={drifts} />
      {detail.restarts !== undefined && <Figure name={words.counts.restarts} value={detail.restarts} />}
      <div>
        <dt>{words.counts.open}</dt>
        <dd class="number">{count(detail.openQuestions)}</dd>
        {mayAnswer.value && (
          <dd>
            <a href={systemLink(system, 'review')}>{words.review}</a>
          </dd>
        )}
      </div>
    </dl>
  )
}

function Figure({ name, value, hint }: { name: string; value: number; hint?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{count(value)}</dd>
      {hint && <dd class="muted small">{hint}</dd>}
    </div>
  )
}

function AccuracyProgress({ points }: { points: readonly ProgressPoint[] }) {
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
    // A bound below 0 promises nothing and would flatten all other lines.
    values: points.map((point) => {
      const value = point[field] as number | null | undefined
      return value === undefined || value === null || value < 0 ? null : value
    }),
  })
  const lines = [
    line(words.lines.recent, 'recentAccuracy', accent, undefined, 2),
    line(words.lines.accuracy, 'accuracy', ink),
    line(words.lines.best, 'bestExpertAccuracy', series[4], [6, 3]),
    line(words.lines.ultimate, 'ultimate', series[1], [2, 3]),
    line(words.lines.value, 'value', levels[2], [8, 3, 2, 3]),
  ].filter(({ values }) => values.some((value) => value !== null))
  if (lines.length === 0) return null
  const limits: [number, number] = [0, 1]
  return (
    <>
      <ProgressPlot
        times={points.map(({ time }) => time)}
        lines={lines}
        label={text.charts.progress}
        height={190}
        format={(value) => percent(value, 0)}
        limits={limits}
      />
      <ProgressLegend lines={lines} format={percent} />
    </>
  )
}

function GuaranteeStatus({ guarantee }: { guarantee: Guarantee }) {
  return (
    <div class={`guarantee ${guarantee.applies ? 'applies' : ''}`}>
      <h3>{words.guarantee}</h3>
      <p>{guaranteeWords(guarantee)}</p>
    </div>
  )
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
