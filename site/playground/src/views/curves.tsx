import { type Line, LineChart } from '../charts/line-chart.tsx'
import type { Contestant } from '../engine/contestant.ts'
import type { Point } from '../engine/point.ts'
import { methodEntry } from '../settings/catalogue.ts'
import { percent } from '../text.ts'
import { colours } from '../theme.ts'

/** Accuracy over the samples, and below it, on a scale of its own, what is guaranteed. */
export function AccuracyCurves({ contestants, total }: { contestants: readonly Contestant[]; total: number }) {
  const samples = longest(contestants).map(({ sample }) => sample)
  const index = (i: number) => (contestants.length > 1 ? i : undefined)
  const accuracy = contestants.flatMap((contestant, i) => accuracyLines(contestant, index(i)))
  const guaranteed = contestants.flatMap((contestant, i) => guaranteeLines(contestant, index(i)))
  const common = { samples, total, limits: [0, 1] as const }
  return (
    <section class="card" aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">Accuracy</h2>
      <LineChart
        {...common}
        lines={accuracy}
        label="Accuracy over the samples"
        height={190}
        format={(value) => percent(value, 1)}
      />
      {guaranteed.length > 0 && (
        <>
          <h2>Guarantee</h2>
          <LineChart
            {...common}
            lines={guaranteed}
            label="What is guaranteed over the samples"
            height={130}
            format={(value) => percent(value, 0)}
          />
        </>
      )}
    </section>
  )
}

/** Two methods report at different times; the one that is ahead gives the axis. */
function longest(contestants: readonly Contestant[]): readonly Point[] {
  const points = contestants.map((contestant) => {
    void contestant.version.value
    return contestant.points
  })
  return points.reduce((a, b) => (b.length > a.length ? b : a), [])
}

function accuracyLines({ points, method }: Contestant, index: number | undefined): Line[] {
  const { ink, accent, series } = colours.value
  const recent = points.map((point) => point.recent)
  if (index !== undefined) {
    const colour = index === 0 ? accent : series[1]
    return [{ name: `${methodEntry(method.name).title}, latest 1,000`, colour, values: recent, width: 2 }]
  }
  return [
    { name: 'Latest 1,000 samples', colour: accent, values: recent, width: 2 },
    { name: 'All samples so far', colour: ink, values: points.map((point) => point.accuracy) },
  ]
}

function guaranteeLines({ points, method }: Contestant, index: number | undefined): Line[] {
  if (points.at(-1)?.value === undefined) return []
  const { accent, series, line } = colours.value
  // A bound below 0 promises nothing and would flatten everything else.
  const values = points.map(({ value = -1 }) => (value < 0 ? undefined : value))
  if (index !== undefined) {
    const colour = index === 0 ? accent : series[1]
    return [{ name: `${methodEntry(method.name).title}, guaranteed`, colour, values }]
  }
  return [
    { name: 'Guaranteed accuracy', colour: accent, values, width: 2 },
    { name: 'Best expert per batch', colour: line, values: points.map(({ ultimate }) => ultimate), dash: [2, 3] },
  ]
}

/** Weight of each expert over the samples. */
export function WeightCurves({ contestant, total }: { contestant: Contestant; total: number }) {
  void contestant.version.value
  const { points, method } = contestant
  const experts = points.at(-1)?.shares?.length ?? 0
  if (experts === 0) return null
  const { series } = colours.value
  const { title } = methodEntry(method.name)
  const lines: Line[] = Array.from({ length: experts }, (_, expert) => ({
    name: `Expert ${expert + 1}`,
    colour: series[expert % series.length],
    dash: expert % 2 === 1 ? [6, 3] : undefined,
    values: points.map(({ shares }) => shares?.[expert]),
  }))
  return (
    <section class="card" aria-label={`Weights of ${title}`}>
      <h2>Weights of {title}</h2>
      <LineChart
        samples={points.map(({ sample }) => sample)}
        lines={lines}
        total={total}
        label={`Weight of each expert of ${title} over the samples`}
        height={170}
        format={(value) => percent(value, 1)}
        limits={[0, 1]}
      />
    </section>
  )
}
