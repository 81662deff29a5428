const PATHS = {
  play: 'M5 3v10l8-5Z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
} as const

/** A small drawing; words beside it, or its button's label, say what it stands for. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
