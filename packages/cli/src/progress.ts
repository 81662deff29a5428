import { count } from './text-table.ts'

/** A progress line on stderr: redrawn in place on a terminal, one line every ten seconds elsewhere. */
export class Progress {
  private readonly start = performance.now()
  private shown = 0
  private readonly live = process.stderr.isTTY === true

  /**
   * Shows how far the work is; `note` says what a person wants to know meanwhile.
   *
   * @param estimate units per second and seconds left, where they are known better than from `done` alone
   */
  update(done: number, total: number, note: string, estimate?: { rate: number; secondsLeft: number }): void {
    const now = performance.now()
    if (now - this.shown < (this.live ? 80 : 10_000) && this.shown > 0) return
    if (!this.live && this.shown === 0) {
      this.shown = now
      return
    }
    this.shown = now
    const seconds = (now - this.start) / 1000
    const { rate, secondsLeft } = estimate ?? {
      rate: done / seconds,
      secondsLeft: (seconds * (total - done)) / Math.max(1, done),
    }
    const speed = rate < 10 ? rate.toFixed(1) : count(rate)
    const text = `${bar(done / total)} ${count(done)}/${count(total)}  ${speed}/s  ${duration(secondsLeft)} left  ${note}`
    if (this.live) process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 120) - 1)}`)
    else process.stderr.write(`${text}\n`)
  }

  /** Writes a line that stays, such as the result of a part of the work. */
  say(line: string): void {
    this.end()
    process.stderr.write(`${line}\n`)
  }

  /** Removes the line. */
  end(): void {
    if (this.live) process.stderr.write('\r\x1b[2K')
  }
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * 24)
  return '█'.repeat(full) + '░'.repeat(24 - full)
}

/** Seconds as people say them: `42 s`, `7 min 5 s`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
