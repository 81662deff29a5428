import type { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { useEffect, useState } from 'preact/hooks'
import { get, request } from '../api/client.ts'
import { announce } from '../chrome/announcer.tsx'
import { isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'

const SPEEDS = [0, 1, 5, 20, 100]

/** Speed and answers of the simulation, when the server simulates this system. */
export function SimulationControls({ system }: { system: string }) {
  const [setting, setSetting] = useState<SimulationSetting | null>(null)
  useEffect(() => {
    get<SimulationSetting>('/v1/simulation').then(setSetting, () => setSetting(null))
  }, [])
  if (setting?.system !== system || !isAdmin.value) return null
  const change = (part: SimulationChange) =>
    void request<SimulationSetting>('PATCH', '/v1/simulation', part).then(setSetting, () => {})
  const speeds = SPEEDS.includes(setting.speed) ? SPEEDS : [...SPEEDS, setting.speed].sort((a, b) => a - b)
  return (
    <section class="card simulation" aria-labelledby="simulation-title">
      <h2 id="simulation-title">{text.simulation.title}</h2>
      <label class="field">
        {text.simulation.speed}
        <select
          value={String(setting.speed)}
          onChange={(event) => change({ speed: Number(event.currentTarget.value) })}
        >
          {speeds.map((speed) => (
            <option key={speed} value={String(speed)}>
              {text.simulation.perSecond(speed)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {text.simulation.answers}
        <span class="row">
          <input
            type="range"
            min="0"
            max="100"
            step="10"
            value={Math.round(100 * setting.answers)}
            onChange={(event) => change({ answers: Number(event.currentTarget.value) / 100 })}
          />
          <span class="number">{Math.round(100 * setting.answers)} %</span>
        </span>
      </label>
      <div class="row">
        <button
          type="button"
          onClick={() => {
            change({ again: true })
            announce(text.simulation.begun)
          }}
        >
          {text.simulation.again}
        </button>
      </div>
    </section>
  )
}
