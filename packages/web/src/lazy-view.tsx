import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { text } from './strings/en.ts'

const preloads: (() => Promise<void>)[] = []

/**
 * A view whose code comes when it is first wanted, or soon after the page is there: a server that is lost later takes
 * no view away.
 */
export function lazyView<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const found = signal<ComponentType<P> | null>(null)
  const problem = signal(false)
  const fetchOnce = async (): Promise<void> => {
    if (found.peek()) return
    problem.value = false
    try {
      const view = await load()
      found.value = view
    } catch {
      problem.value = true
    }
  }
  preloads.push(fetchOnce)
  return function LazyView(props: P) {
    const View = found.value
    useEffect(() => void fetchOnce(), [])
    if (View) return <View {...props} />
    return (
      <main id="content" tabIndex={-1}>
        <h1 class="visually-hidden">{text.product}</h1>
        <p class="muted" role="status">
          {problem.value ? text.lazy.failed : text.connection.connecting}
        </p>
        {problem.value && (
          <button type="button" onClick={() => void fetchOnce()}>
            {text.connection.retry}
          </button>
        )}
      </main>
    )
  }
}

/** Fetches the code of all views, one after the other, once the page has nothing better to do. */
export async function preloadViews(): Promise<void> {
  for (const preload of preloads) await preload()
}
