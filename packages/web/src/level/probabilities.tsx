import { LevelName } from './level-mark.tsx'
import { levelTone } from './tone.ts'

/** The probability of each level as bars with numbers. */
export function Probabilities({ values, names }: { values: readonly number[]; names: readonly string[] }) {
  return (
    <dl class="bars">
      {names.map((name, level) => (
        <div key={name}>
          <dt>
            <LevelName level={level} names={names} size={12} />
          </dt>
          <dd>
            <span class={`bar tone-${levelTone(level, names.length)}`} style={{ '--share': values[level] ?? 0 }} />
            <span class="number">{values.length === 0 ? '–' : `${(100 * (values[level] ?? 0)).toFixed(0)} %`}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
