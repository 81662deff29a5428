import { Help } from '../chrome/help.tsx'
import { text } from '../strings/en.ts'
import { percent } from '../strings/format.ts'
import { LevelName } from './level-mark.tsx'
import { levelTone } from './tone.ts'

const words = text.confidence

/**
 * How much weight stands behind each level, as bars. They carry no numbers: beside the confidence, a second number
 * would seem to contradict it.
 */
export function Support({ values, names }: { values: readonly number[]; names: readonly string[] }) {
  return (
    <>
      <h3>
        {words.support} <Help about={words.supportAbout}>{words.supportHint}</Help>
      </h3>
      <dl class="bars without-numbers">
        {names.map((name, level) => (
          <div key={name}>
            <dt>
              <LevelName level={level} names={names} size={12} />
            </dt>
            <dd>
              <span class={`bar tone-${levelTone(level, names.length)}`} style={{ '--share': values[level] ?? 0 }} />
              <span class="visually-hidden">{words.share(percent(values[level], 0))}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
