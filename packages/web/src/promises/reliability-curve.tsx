import type { PromisesReport } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { count, percent } from '../strings/format.ts'

const words = text.promises
const SIZE = 160
/** Room for the words at the axes. */
const LEFT = 18
const FOOT = 18

/**
 * The share that was right over the confidence that was shown, as a curve and as a table. On the diagonal they agree.
 */
export function ReliabilityCurve({ bins }: { bins: PromisesReport['reliability'] }) {
  const seen = bins.filter(({ weight }) => weight > 0)
  const most = Math.max(...seen.map(({ weight }) => weight))
  const x = (share: number) => LEFT + SIZE * share
  const y = (share: number) => SIZE * (1 - share) + 4
  const path = seen.map(({ confidence, accuracy }, i) => `${i === 0 ? 'M' : 'L'}${x(confidence)},${y(accuracy)}`)
  return (
    <figure class="reliability">
      <svg viewBox={`0 0 ${SIZE + LEFT + 6} ${SIZE + FOOT + 6}`} role="img" aria-label={words.curve}>
        <rect x={LEFT} y="4" width={SIZE} height={SIZE} class="frame" />
        <path d={`M${x(0)},${y(0)}L${x(1)},${y(1)}`} class="diagonal" />
        <path d={path.join('')} class="curve" />
        {seen.map(({ from, confidence, accuracy, weight }) => (
          <circle key={from} cx={x(confidence)} cy={y(accuracy)} r={1.5 + 3.5 * Math.sqrt(weight / most)} />
        ))}
        <text x={x(0.5)} y={SIZE + FOOT} text-anchor="middle">
          {words.curveAxes.confidence}
        </text>
        <text x={-y(0.5)} y="12" text-anchor="middle" transform="rotate(-90)">
          {words.curveAxes.accuracy}
        </text>
      </svg>
      <table class="number">
        <caption class="visually-hidden">{words.curve}</caption>
        <thead>
          <tr>
            <th scope="col">{words.curveColumns.confidence}</th>
            <th scope="col">{words.curveColumns.accuracy}</th>
            <th scope="col">{words.curveColumns.samples}</th>
          </tr>
        </thead>
        <tbody>
          {seen.map(({ from, confidence, accuracy, weight }) => (
            <tr key={from}>
              <td>{percent(confidence)}</td>
              <td>{percent(accuracy)}</td>
              <td>{count(Math.round(weight))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
