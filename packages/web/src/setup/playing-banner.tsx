import { systems } from '../feed/systems.ts'
import { text } from '../strings/en.ts'
import { changeSpeed, playing, stopPlaying } from './player.ts'

const SPEEDS = [1, 5, 10, 50, 200]

/** Says what this page is sending, on every view, and lets people end it. */
export function PlayingBanner() {
  const now = playing.value
  if (!now) return null
  const title = systems.value?.find(({ id }) => id === now.system)?.title ?? now.system
  return (
    <div class="banner playing" role="status">
      <span>{now.problem ? text.playing.failed(now.problem) : text.playing.now(title, now.row, now.rows)}</span>
      {!now.problem && (
        <>
          <span class="muted">{text.playing.hint}</span>
          <label class="row small">
            {text.playing.speed}
            <select
              value={String(now.speed)}
              onChange={({ currentTarget }) => changeSpeed(Number(currentTarget.value))}
            >
              {SPEEDS.map((speed) => (
                <option key={speed}>{speed}</option>
              ))}
            </select>
          </label>
        </>
      )}
      <button type="button" onClick={stopPlaying}>
        {text.playing.stop}
      </button>
    </div>
  )
}
