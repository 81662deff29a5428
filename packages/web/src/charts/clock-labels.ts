const DAY = 86_400_000

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const seconds = new Intl.DateTimeFormat('en', { minute: '2-digit', second: '2-digit' })
const exact = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const year = new Intl.DateTimeFormat('en', { year: 'numeric' })

/**
 * The labels of a time axis, no two alike. Where a new day begins, the date stands instead of the time, so that long
 * ranges say which day is meant; where days are steps, a new year says so, too.
 *
 * @param step milliseconds from one label to the next
 */
export function clockLabels(moments: readonly number[], step: number): string[] {
  return moments.map((moment, i) => {
    const before = i > 0 ? moments[i - 1] : undefined
    if (step >= DAY) {
      const newYear = before === undefined || year.format(before) !== year.format(moment)
      return newYear ? `${day.format(moment)}, ${year.format(moment)}` : day.format(moment)
    }
    if (before !== undefined && day.format(before) !== day.format(moment)) return day.format(moment)
    if (step >= 60_000) return clock.format(moment)
    if (step >= 1_000) return exact.format(moment)
    return `${seconds.format(moment)}.${String(Math.floor(moment % 1000)).padStart(3, '0')}`
  })
}
