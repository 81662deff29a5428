import { levelTone } from './tone.ts'

interface LevelProps {
  level: number
  levels: number
  size?: number
}

/** A level as a shape: circle for the safest, octagon for the worst, triangle for all others. */
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
