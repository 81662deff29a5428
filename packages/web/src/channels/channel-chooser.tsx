import { signal } from '@preact/signals'
import { keep, recall } from '../device/stored.ts'
import { text } from '../strings/en.ts'
import { channelName } from '../strings/format.ts'

/** Hidden channels by system. The device keeps them. */
const hidden = signal<Record<string, string[]>>(load())

/** Indices of the channels to show. */
export function shownChannels(system: string, names: readonly string[]): number[] {
  const off = hidden.value[system] ?? []
  return names.flatMap((name, i) => (off.includes(name) ? [] : [i]))
}

/** Which channels to show. */
export function ChannelChooser({ system, names }: { system: string; names: readonly string[] }) {
  const off = hidden.value[system] ?? []
  const set = (list: string[]) => {
    hidden.value = { ...hidden.value, [system]: list }
    keep('hidden', JSON.stringify(hidden.value))
  }
  const toggle = (name: string) => set(off.includes(name) ? off.filter((other) => other !== name) : [...off, name])
  return (
    <details class="chooser">
      <summary>{text.live.choose}</summary>
      <fieldset>
        <legend class="visually-hidden">{text.live.choose}</legend>
        <div class="row">
          <button type="button" onClick={() => set([])}>
            {text.live.all}
          </button>
          <button type="button" onClick={() => set([...names])}>
            {text.live.none}
          </button>
        </div>
        <div class="options">
          {names.map((name) => (
            <label key={name} class="check">
              <input type="checkbox" checked={!off.includes(name)} onChange={() => toggle(name)} />
              {channelName(name)}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  )
}

function load(): Record<string, string[]> {
  try {
    return JSON.parse(recall('hidden') ?? '{}')
  } catch {
    return {}
  }
}
