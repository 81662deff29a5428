import { Icon } from '../chrome/icon.tsx'
import { SPANS, type TimeWindow } from '../feed/time-window.ts'
import { text } from '../strings/en.ts'
import { stretch } from '../strings/format.ts'

/** Buttons for the span of the charts, and for following the present or standing still. */
export function WindowControls({ window: shown }: { window: TimeWindow }) {
  const live = shown.live.value
  const span = shown.span.value
  const end = shown.end.value
  const words = text.window
  return (
    <fieldset class="controls" aria-label={words.title} title={words.hint}>
      <div class="segments">
        {SPANS.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={live && span === choice}
            onClick={() => shown.follow(choice)}
          >
            {words.spans[choice]}
          </button>
        ))}
      </div>
      <div class="segments">
        <button type="button" aria-label={words.back} title={words.back} onClick={() => shown.move(-0.5)}>
          <Icon name="left" />
        </button>
        <button type="button" aria-label={words.zoomOut} title={words.zoomOut} onClick={() => shown.zoom(2)}>
          <Icon name="minus" />
        </button>
        <button type="button" aria-label={words.zoomIn} title={words.zoomIn} onClick={() => shown.zoom(0.5)}>
          <Icon name="plus" />
        </button>
        <button
          type="button"
          aria-label={words.forward}
          title={words.forward}
          disabled={live}
          onClick={() => shown.move(0.5)}
        >
          <Icon name="right" />
        </button>
      </div>
      <button
        type="button"
        class={live ? '' : 'primary'}
        onClick={() => (live ? shown.pause() : shown.follow(SPANS.includes(span) ? span : 60_000))}
      >
        <Icon name={live ? 'pause' : 'play'} />
        {live ? words.pause : words.follow}
      </button>
      <span class="muted number window-words">
        {[end === null ? words.following : stretch(end - span, end), ...remarks(shown)].join(', ')}
      </span>
    </fieldset>
  )
}

/** What is to be said of the charts: that they wait, why they cannot be shown, or what they leave out. */
function remarks({ loading, problem, thinning }: TimeWindow): string[] {
  const words = text.window
  if (loading.value) return [words.loading]
  if (problem.value) return [words.failed(problem.value)]
  const { folded = 1, every = 1, answersEvery = 1 } = thinning.value ?? {}
  const samples = [folded > 1 ? words.folded(folded) : '', every > 1 ? words.every(every) : '']
    .filter(Boolean)
    .join(' ')
  return [samples, answersEvery > 1 ? words.someAnswers(answersEvery) : ''].filter(Boolean)
}
