import type { AssessedSamples } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import { momentLink } from '../router.ts'
import { text } from '../strings/en.ts'

const words = text.history

/** Goes to the state after a record or at a time. */
export function Jump({ system }: { system: string }) {
  const place = useSignal('')
  const at = useSignal('')
  const problem = useSignal('')
  const go = async (event: Event) => {
    event.preventDefault()
    problem.value = ''
    const wanted = place.value.replaceAll(/[\s,.]/g, '')
    try {
      const event = /^\d+$/.test(wanted) ? Number(wanted) : await recordAt(system, Date.parse(at.value))
      if (event === undefined) problem.value = words.badTime
      else location.hash = momentLink(system, event)
    } catch (error) {
      problem.value = (error as Error).message
    }
  }
  return (
    <form class="jump" onSubmit={go}>
      <label class="field">
        {words.jump}
        <input
          inputMode="numeric"
          value={place.value}
          placeholder={words.jumpHint}
          onInput={(event) => {
            place.value = event.currentTarget.value
          }}
        />
      </label>
      <label class="field">
        {words.jumpTime}
        <input
          type="datetime-local"
          step="1"
          value={at.value}
          onInput={(event) => {
            at.value = event.currentTarget.value
          }}
        />
      </label>
      <button type="submit">{words.go}</button>
      <span class="problem" role="alert">
        {problem.value}
      </span>
    </form>
  )
}

/** The number of the record of the first sample at or after a time. */
async function recordAt(system: string, time: number): Promise<number | undefined> {
  if (Number.isNaN(time)) return undefined
  const { samples } = await get<AssessedSamples>(systemPath(system, '/samples'), {
    from: time,
    to: time + 60_000,
    limit: 1,
  })
  return samples[0]?.sequence
}
