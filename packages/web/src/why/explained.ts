import type { Explanation } from '@pb-oel/protocol'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'

/** Milliseconds between two explanations of the present, and while the last one is about another level. */
const AGAIN = 4_000
const SOON = 1_000
/** Milliseconds until the page asks again when the server had no answer. */
const RETRY = 2_000

/** An explanation, or why there is none; neither while it is being computed. */
export interface Explained {
  explanation?: Explanation
  problem?: string
}

/**
 * Why the system has its level now. It is asked for again as long as samples arrive. An explanation of a level that the
 * system has no more is not shown.
 */
export function usePresentExplanation(feed: SystemFeed): Explained {
  const found = useSignal<Explained>({})
  useEffect(() => {
    let [explained, timer] = [-1, setTimeout(look, 0)]
    const request = new AbortController()
    const outdated = () => !isAbout(found.peek(), likelyNow(feed))
    async function look() {
      const sequence = feed.detail.peek()?.sequence ?? 0
      if ((sequence !== explained || outdated()) && document.visibilityState === 'visible') {
        const answer = await ask(feed.id, undefined, request.signal)
        if (request.signal.aborted) return
        if (answer.explanation) explained = sequence
        found.value = answer
      }
      timer = setTimeout(look, outdated() ? SOON : AGAIN)
    }
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [feed, found])
  return isAbout(found.value, likelyNow(feed)) ? found.value : {}
}

/** The likely level that the page shows. */
function likelyNow({ now, detail }: SystemFeed): number | null | undefined {
  return now.value?.trained ? now.value.likely : detail.value?.likely
}

/** Whether an explanation is about a level. One that failed is about none, and says why. */
function isAbout({ explanation, problem }: Explained, level: number | null | undefined): boolean {
  return problem !== undefined || explanation?.level === level
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
