import { Choice, Field, NumberField, ShareField } from '../../../../packages/web/src/forms/field.tsx'
import { DELAY_LAWS, type DelayLaw } from '../settings/settings.ts'
import { change, changeReviewer, settings } from '../state.ts'

const LAWS: Record<DelayLaw, string> = {
  fixed: 'always the same',
  uniform: 'uniform, up to twice the mean',
  exponential: 'exponential, mostly short',
  heavy: 'heavy-tailed, some very late',
}

/** Who answers, and how well. */
export function ReviewerForm() {
  const { reviewer, seed } = settings.value
  const { by, rho, delay, law, missing, wrong } = reviewer
  return (
    <section class="card" aria-labelledby="reviewer-title">
      <h2 id="reviewer-title">Reviewer</h2>
      <Choice
        label="Who answers"
        value={by}
        choices={[
          ['simulated', 'Simulated'],
          ['me', 'I answer'],
        ]}
        onChange={(by) => changeReviewer({ by })}
      />
      {by === 'me' && <OwnAnswers />}
      <ShareField
        label="Full labels ρ"
        hint="Share of answers that name the level. The others only say right or wrong."
        value={rho}
        onChange={(rho) => changeReviewer({ rho })}
      />
      <details class="more">
        <summary>Late, missing and wrong answers</summary>
        <ShareField label="Never answered" value={missing} onChange={(missing) => changeReviewer({ missing })} />
        <ShareField label="Wrong answers" value={wrong} onChange={(wrong) => changeReviewer({ wrong })} />
        <NumberField
          label="Mean delay in samples"
          value={delay}
          least={0}
          most={1000}
          whole
          onChange={(delay = 0) => changeReviewer({ delay })}
        />
        <Field label="Delays are">
          {(id) => (
            <select
              id={id}
              value={law}
              onChange={({ currentTarget }) => changeReviewer({ law: currentTarget.value as DelayLaw })}
            >
              {DELAY_LAWS.map((law) => (
                <option key={law} value={law}>
                  {LAWS[law]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField
          label="Seed"
          hint="Of the method and of the simulated reviewer."
          value={seed}
          least={0}
          most={2 ** 52}
          whole
          onChange={(seed = 1) => change({ seed })}
        />
      </details>
    </section>
  )
}

function OwnAnswers() {
  const { every, others } = settings.value.reviewer
  return (
    <>
      <NumberField
        label="Ask me once in so many samples"
        value={every}
        least={1}
        most={10_000}
        whole
        onChange={(every = 50) => changeReviewer({ every })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={others}
          onChange={({ currentTarget }) => changeReviewer({ others: currentTarget.checked })}
        />
        The simulated reviewer answers the others
      </label>
    </>
  )
}
