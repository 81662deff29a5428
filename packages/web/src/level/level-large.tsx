import { Help } from '../chrome/help.tsx'
import { text } from '../strings/en.ts'
import { atMost } from '../strings/format.ts'
import { LevelMark, LevelName } from './level-mark.tsx'

interface LevelLargeProps {
  /** `null` while there is no sample, or while the system is untrained. */
  level: number | null
  names: readonly string[]
  trained: boolean
  /** The lowest level that keeps misses below their target, where the system has one. */
  safeSide: number | null
  missTarget?: number
}

/** The level, large; beside it the safe-side level where that is higher. An untrained system shows no level. */
export function LevelLarge({ level, names, trained, safeSide, missTarget }: LevelLargeProps) {
  if (!trained)
    return (
      <p class="level-large no-level">
        <UntrainedMark size={48} />
        <span>{text.untrained.title}</span>
      </p>
    )
  if (level === null) return <p class="level-large">{text.live.waiting}</p>
  return (
    <>
      <p class="level-large">
        <LevelMark level={level} levels={names.length} size={56} />
        <span>{names[level]}</span>
      </p>
      {safeSide !== null && safeSide > level && (
        <div class="safe-side">
          <span>{text.safeSide.name}</span>
          <LevelName level={safeSide} names={names} size={18} />
          {missTarget !== undefined && (
            <Help about={text.safeSide.about}>{text.safeSide.hint(atMost(missTarget))}</Help>
          )}
        </div>
      )}
    </>
  )
}

/** Stands where a level would stand: an empty frame without the colour of any level. */
export function UntrainedMark({ size }: { size: number }) {
  return (
    <svg class="untrained-mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" />
    </svg>
  )
}
