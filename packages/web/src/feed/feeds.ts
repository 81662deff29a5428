import { effect, signal } from '@preact/signals'
import { query, route } from '../router.ts'
import { me, signInNeeded } from '../session/session.ts'
import { SystemFeed } from './system-feed.ts'
import { TimeWindow } from './time-window.ts'

/** The feed of the system in view. It stays open from the live view to the review and the history. */
export const feed = signal<SystemFeed | null>(null)
/** The stretch of time that its charts show. */
export const timeWindow = signal<TimeWindow | null>(null)

/** Opens and closes feeds as the route changes. */
export function startFeeds(): void {
  effect(() => {
    const wanted = 'system' in route.value && me.value !== null && !signInNeeded.value ? route.value.system : undefined
    const current = feed.peek()
    if (current?.id === wanted) return
    current?.close()
    const next = wanted === undefined ? null : new SystemFeed(wanted)
    timeWindow.value = next && new TimeWindow(next)
    feed.value = next
  })
  effect(() => {
    if (route.value.view === 'live') timeWindow.value?.take(query.value)
  })
}
