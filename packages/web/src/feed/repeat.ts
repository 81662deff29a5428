/**
 * Repeats a task while the page is visible. A failure shows as a lost connection, and the task goes on.
 *
 * @param always also while the page is hidden, such as for alarms
 * @returns the function that ends it
 */
export function repeat(wait: number, task: () => Promise<void>, always = false): () => void {
  let timer: ReturnType<typeof setTimeout>
  let ended = false
  const run = async () => {
    if (always || document.visibilityState === 'visible') await task().catch(() => {})
    if (!ended) timer = setTimeout(run, wait)
  }
  void run()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
