/** A level as a shape: a circle for the safest, an octagon for the worst, a triangle between. Never by colour alone. */
export function LevelMark({ level, levels, size = 14 }: { level: number; levels: number; size?: number }) {
  const tone = level === 0 ? 0 : level === levels - 1 ? 2 : 1
  const shapes = ['M1.5 8a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0', 'M8 1.2 15.4 14.4H.6Z', 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z']
  return (
    <svg class={`level-mark tone-${tone}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[tone]} />
    </svg>
  )
}
