import { levelTone } from '../charts/palette.ts'

interface LevelProps {
  level: number
  levels: number
  size?: number
}

/** A level as a shape: circle the safest, triangles between, octagon the worst. Never told by colour alone. */
export function LevelMark({ level, levels, size = 16 }: LevelProps) {
  const tone = levelTone(level, levels)
  return (
    <svg class={`level-mark tone-${tone}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {tone === 0 && <circle cx="8" cy="8" r="6.5" />}
      {tone === 1 && <path d="M8 1.2 15.4 14.4H.6Z" />}
      {tone === 2 && <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z" />}
    </svg>
  )
}

/** Shape and name of a level. */
export function LevelName({ level, names, size }: { level: number; names: readonly string[]; size?: number }) {
  return (
    <span class="level-name">
      <LevelMark level={level} levels={names.length} size={size} />
      {names[level] ?? level}
    </span>
  )
}

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

/** Each expert's vote as a shape, and the counts in words. */
export function Votes({
  experts,
  names,
  label,
}: {
  experts: readonly number[]
  names: readonly string[]
  label: (count: number, name: string) => string
}) {
  const counts = names.map((_, level) => experts.filter((vote) => vote === level).length)
  return (
    <div class="votes">
      <div class="vote-marks" aria-hidden="true">
        {experts.map((level, expert) => (
          <LevelMark key={expert} level={level} levels={names.length} size={18} />
        ))}
      </div>
      <p>
        {counts
          .map((count, level) => (count === 0 ? '' : label(count, names[level])))
          .filter(Boolean)
          .join(', ')}
      </p>
    </div>
  )
}
