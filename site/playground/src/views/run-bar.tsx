import { FULL_SPEED } from '../engine/messages.ts'
import { methodEntry } from '../settings/catalogue.ts'
import { busy, contestants, pace, ready, setPace, start, stop } from '../state.ts'
import { count, percent } from '../text.ts'
import { Icon } from './icon.tsx'

const PACES: readonly (readonly [number, string])[] = [
  [FULL_SPEED, 'as fast as it can'],
  [2000, '2,000 samples/s'],
  [200, '200 samples/s'],
  [20, '20 samples/s'],
]

/** Start, pause, pace and progress. */
export function RunBar() {
  const running = busy.value
  const paused = contestants.value.some(({ phase }) => phase.value === 'paused')
  const toggle = () => {
    for (const contestant of contestants.value) {
      if (paused) contestant.resume()
      else contestant.pause()
    }
  }
  return (
    <div class="run-bar card">
      <button type="button" class="primary" onClick={run} disabled={!ready.value}>
        <Icon name="play" />
        {running ? 'Run again' : 'Run'}
      </button>
      {running && (
        <>
          <button type="button" onClick={toggle}>
            {paused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={stop}>
            Stop
          </button>
        </>
      )}
      <label class="pace">
        <span class="visually-hidden">Pace</span>
        <select value={pace.value} onChange={({ currentTarget }) => setPace(Number(currentTarget.value))}>
          {PACES.map(([samplesPerSecond, text]) => (
            <option key={text} value={samplesPerSecond}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Progress />
      <p class="visually-hidden" role="status">
        {doneWords()}
      </p>
    </div>
  )
}

/** Starts, and on a narrow screen goes to the results, which stand below the set-up there. */
function run(): void {
  start()
  if (matchMedia('(max-width: 56rem)').matches) document.getElementById('results')?.scrollIntoView()
}

/** What people who cannot see the page hear at the end of a run. */
function doneWords(): string {
  const running = contestants.value
  if (running.length === 0 || busy.value) return ''
  const words = running.map(({ method, figures }) => {
    const { title } = methodEntry(method.name)
    return figures.value ? `${title}: accuracy ${percent(figures.value.accuracy, 2)}` : `${title}: failed`
  })
  return `Done. ${words.join(', ')}.`
}

function Progress() {
  const figures = contestants.value.map(({ figures }) => figures.value)
  const done = Math.min(...figures.map((figure) => figure?.samples ?? 0))
  const total = figures[0]?.total ?? 0
  if (!ready.value) return <p class="muted">Drop the file first.</p>
  if (total === 0) return null
  return (
    <div class="progress">
      <progress value={done} max={total} aria-label="Samples assessed" />
      <span class="muted number" data-testid="progress">
        {count(done)} of {count(total)} samples
      </span>
    </div>
  )
}
