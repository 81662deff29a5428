import { Icon } from '../chrome/icon.tsx'
import type { TimeWindow } from '../feed/time-window.ts'
import { LevelName } from '../level/level-mark.tsx'
import { mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import type { BrushAnswer, StretchBrush } from './stretch-brush.ts'

const words = text.stretch

interface StretchBarProps {
  brush: StretchBrush
  window: TimeWindow
  levels: readonly string[]
  /** Whether levels were findings: before, there is nothing to call right or wrong. */
  trained: boolean
}

/** Chooses what a drag across the timeline says, answers what is shown, and takes the last stretch back. */
export function StretchBar({ brush, window: shown, levels, trained }: StretchBarProps) {
  const armed = brush.armed.value
  const busy = brush.busy.value
  if (!mayAnswer.value) return null
  const same = (answer: BrushAnswer) => armed?.kind === answer.kind && armed.level === answer.level
  const choice = (answer: BrushAnswer, label: preact.ComponentChildren) => (
    <button
      type="button"
      aria-pressed={same(answer)}
      onClick={() => {
        brush.armed.value = same(answer) ? null : answer
      }}
    >
      {label}
    </button>
  )
  return (
    <fieldset class="stretch-bar" aria-label={words.title}>
      <span class="muted small">{words.title}</span>
      <div class="segments">
        {trained && choice({ kind: 'confirm' }, text.review.right)}
        {trained && choice({ kind: 'reject' }, text.review.wrong)}
        {levels.map((name, level) => (
          <span key={name}>
            {choice({ kind: 'label', level }, <LevelName level={level} names={levels} size={14} />)}
          </span>
        ))}
      </div>
      {armed && (
        <>
          <span class="small">{words.hint}</span>
          <button type="button" disabled={busy} onClick={() => void brush.answer(shown.from, shown.to, levels)}>
            {words.allShown}
          </button>
        </>
      )}
      {brush.last.value && (
        <button type="button" disabled={busy} onClick={() => void brush.undo()}>
          <Icon name="undo" /> {words.undo}
        </button>
      )}
      <span class="small" aria-hidden="true">
        {busy && !brush.message.value ? words.sending : brush.message.value}
      </span>
    </fieldset>
  )
}
