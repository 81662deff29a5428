/**
 * Time as a server meets it. Everything in the server that waits, measures or stamps goes through one of these, so that
 * a test or a simulation can run the whole server on a clock of its own.
 */
export interface Clock {
  /** What the machine says the time is: milliseconds since 1970. It may jump in either direction. */
  wall(): number
  /** Milliseconds since some moment. It never jumps and never goes back: durations are measured by it. */
  monotonic(): number
  /** Calls back once after some milliseconds. Does not keep the process alive. Returns how to cancel it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Calls back again and again. Does not keep the process alive. Returns how to end it. */
  every(milliseconds: number, callback: () => void): () => void
  /** Resolves after some milliseconds, or as soon as the signal comes. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Longest wait of a timer of Node, in milliseconds; a longer one would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The clocks and timers of the machine. No other file of the server uses them directly. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER)).unref()
    return () => clearTimeout(timer)
  },
  every: (milliseconds, callback) => {
    const timer = setInterval(callback, Math.min(milliseconds, LONGEST_TIMER)).unref()
    return () => clearInterval(timer)
  },
  pause: (milliseconds, signal) => {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        done()
      }
      const timer = setTimeout(end, Math.min(milliseconds, LONGEST_TIMER))
      signal?.addEventListener('abort', end)
    })
  },
}

/** A signal that comes after some milliseconds. */
export function deadline(clock: Clock, milliseconds: number): AbortSignal {
  const aborter = new AbortController()
  clock.after(milliseconds, () => aborter.abort(new DOMException(`no answer in ${milliseconds} ms`, 'TimeoutError')))
  return aborter.signal
}
