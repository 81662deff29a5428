import { NumberField } from '../forms/field.tsx'
import { text } from '../strings/en.ts'
import type { PartProps } from './settings.tsx'

const words = text.opinions

/** How the answers of several people are brought together. */
export function ReviewRule({ configuration, change, set }: PartProps) {
  const { secondOpinion = 0, trust = false } = { ...configuration.review, ...change.review }
  return (
    <section class="card" aria-labelledby="opinions-title">
      <h2 id="opinions-title">{words.title}</h2>
      <div class="options">
        <NumberField
          label={words.share}
          hint={words.shareHint}
          value={Number((100 * secondOpinion).toFixed(4))}
          least={0}
          most={100}
          onChange={(share = 0) => set({ review: { ...change.review, secondOpinion: share / 100 } })}
        />
        <div class="form-field">
          <label class="check">
            <input
              type="checkbox"
              checked={trust}
              onChange={({ currentTarget }) => set({ review: { ...change.review, trust: currentTarget.checked } })}
            />
            {words.trust}
          </label>
          <p class="hint">{words.trustHint}</p>
        </div>
      </div>
    </section>
  )
}
