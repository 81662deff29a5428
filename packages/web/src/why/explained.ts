import type { Explanation } from '@pb-oel/protocol'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'

/** Milliseconds between two explanations of the present. */
const AGAIN = 4_000
/** Milliseconds until the page asks again when the server had no answer. */
const RETRY = 2_000

/** An explanation, or why there is none; neither while it is being computed. */
export interface Explained {
  explanation?: Explanation
  problem?: string
}

/** Why the system has its level now. It is asked for again as long as samples arrive. */
export function usePresentExplanation(feed: SystemFeed): Signal<Explained> {
  const found = useSignal<Explained>({})
  useEffect(() => {
    let [explained, timer] = [-1, setTimeout(look, 0)]
    const request = new AbortController()
    async function look() {
      const sequence = feed.detail.peek()?.sequence ?? 0
      if (sequence !== explained && document.visibilityState === 'visible') {
        const answer = await ask(feed.id, undefined, request.signal)
        if (request.signal.aborted) return
        if (answer.explanation) explained = sequence
        found.value = answer
      }
      timer = setTimeout(look, AGAIN)
    }
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [feed, found])
  return found
}

/** Why the samples up to an assessment had their level, as the present model sees it. */
export function useExplanation(system: string, assessment: number): Signal<Explained> {
  const found = useSignal<Explained>({})
  useEffect(() => {
    const request = new AbortController()
    found.value = {}
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look() {
      const answer = await ask(system, assessment, request.signal)
      if (request.signal.aborted) return
      found.value = answer
      if (answer.busy) timer = setTimeout(look, RETRY)
    }
    void look()
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [system, assessment, found])
  return found
}

async function ask(
  system: string,
  assessment: number | undefined,
  signal: AbortSignal,
): Promise<Explained & { busy?: boolean }> {
  try {
    return { explanation: await get<Explanation>(systemPath(system, '/explanation'), { assessment }, signal) }
  } catch (error) {
    const { status, message } = error as Error & { status: number }
    return { problem: message, busy: status === 503 || status === 0 }
  }
}
