/**
 * Repeats a task while the page is visible. A failure shows as a lost connection, and the task goes on.
 *
 * @returns the function that ends it
 */
export function repeat(wait: number, task: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout>
  let ended = false
  const run = async () => {
    if (document.visibilityState === 'visible') await task().catch(() => {})
    if (!ended) timer = setTimeout(run, wait)
  }
  void run()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
