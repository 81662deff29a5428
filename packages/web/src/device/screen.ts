import { computed, signal } from '@preact/signals'

/** How much larger everything is on the screens of a control room, which people read from further away. */
const SIZES = [
  { query: '(min-width: 2300px)', scale: 1.4 },
  { query: '(min-width: 1750px)', scale: 1.15 },
] as const

const matching = SIZES.map(({ query, scale }) => {
  const media = matchMedia(query)
  const matches = signal(media.matches)
  media.addEventListener('change', () => {
    matches.value = media.matches
  })
  return { matches, scale }
})

/** Scale of charts; the style sheet scales the text by the same steps. */
export const screenScale = computed(() => matching.find(({ matches }) => matches.value)?.scale ?? 1)
