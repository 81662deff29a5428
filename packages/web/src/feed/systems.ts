import type { SystemList, SystemSummary } from '@pb-oel/protocol'
import { effect, signal } from '@preact/signals'
import { get } from '../api/client.ts'
import { route } from '../router.ts'
import { mayRead, me, signInNeeded } from '../session/session.ts'
import { repeat } from './repeat.ts'

/** Milliseconds between two looks, where the list is in view and elsewhere. */
const POLL = 1_000
const POLL_ELSEWHERE = 3_000

/** All systems; `null` until the server has told them. */
export const systems = signal<SystemSummary[] | null>(null)

/** Reads the list of systems again and again, in every view, so that no view hides what goes wrong elsewhere. */
export function startSystems(): void {
  effect(() => {
    if (me.value === null || signInNeeded.value || !mayRead.value) return
    const wait = route.value.view === 'overview' ? POLL : POLL_ELSEWHERE
    // An alarm must be heard also in a window that nobody looks at.
    return repeat(wait, readSystems, true)
  })
}

/** Reads the list now. */
export async function readSystems(): Promise<void> {
  systems.value = (await get<SystemList>('/v1/systems')).systems
}
