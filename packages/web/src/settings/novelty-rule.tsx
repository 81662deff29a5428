import { NumberField } from '../forms/field.tsx'
import { text } from '../strings/en.ts'
import type { PartProps } from './settings.tsx'

const words = text.novelty

/** Whether samples of none of the known levels are looked for, and how often that may be wrong. */
export function NoveltyRule({ configuration, change, set }: PartProps) {
  const rule = change.novelty === undefined ? configuration.novelty : change.novelty
  return (
    <section class="card" aria-labelledby="novelty-title">
      <h2 id="novelty-title">{words.title}</h2>
      <NumberField
        label={words.every}
        hint={words.everyHint}
        value={rule?.falseAlarmEvery}
        least={10}
        most={10_000}
        whole
        onChange={(falseAlarmEvery) => set({ novelty: falseAlarmEvery === undefined ? null : { falseAlarmEvery } })}
      />
    </section>
  )
}
