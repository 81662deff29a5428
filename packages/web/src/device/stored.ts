/** Values that this device keeps between visits. A browser may forbid it; the page then works without them. */

/** Reads a kept value. */
export function recall(key: string, area: 'local' | 'session' = 'local'): string | null {
  try {
    return storage(area).getItem(`pb-oel:${key}`)
  } catch {
    return null
  }
}

/** Keeps a value; `null` forgets it. */
export function keep(key: string, value: string | null, area: 'local' | 'session' = 'local'): void {
  try {
    if (value === null) storage(area).removeItem(`pb-oel:${key}`)
    else storage(area).setItem(`pb-oel:${key}`, value)
  } catch {
    // This browser keeps nothing.
  }
}

const storage = (area: 'local' | 'session') => (area === 'local' ? localStorage : sessionStorage)
