const PATHS = {
  left: 'M10 3 5 8l5 5',
  right: 'm6 3 5 5-5 5',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  pause: 'M5.5 3v10M10.5 3v10',
  play: 'M5 3v10l8-5Z',
  auto: 'M8 2a6 6 0 1 0 0 12ZM8 2a6 6 0 0 1 0 12',
  light: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  person: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.5 14c.6-2.8 2.8-4 5.5-4s4.9 1.2 5.5 4',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.5v.5',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7M3 6.5 6 3.5M3 6.5l3 3',
  skip: 'M4 3.5v9l6-4.5ZM12 3.5v9',
  live: 'M2 9h3l2-5 3 8 1.5-3H14',
  review: 'M3 3h10v8H8l-3 2.5V11H3Z',
  performance: 'M2.5 13V3M2.5 13h11M5 10.5l3-3 2 1.5 3.5-4.5',
  bell: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4ZM6.5 13.5a1.6 1.6 0 0 0 3 0',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.2v3.6M6 9.2v3.6',
  connect: 'M6 2v3M10 2v3M4 5h8v2a4 4 0 0 1-8 0ZM8 11v3',
  history: 'M8 4.5V8l2.5 1.5M3 8a5 5 0 1 1 1.6 3.7M3 8l-1-1.6M3 8l1.7-1',
} as const

/** A small drawing. Words beside it tell its meaning. */
export function Icon({ name, size = 16 }: { name: keyof typeof PATHS; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
