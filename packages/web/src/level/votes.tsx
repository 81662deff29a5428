import { LevelMark } from './level-mark.tsx'

/** The level that each expert says, as a shape, and the counts in words. */
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
