import { useState } from 'preact/hooks'
import { SparkLine } from '../charts/spark-line.tsx'
import type { Contestant } from '../engine/contestant.ts'

/** Channels shown at first; a stream may have hundreds. */
const FIRST = 24

/** Every channel over the samples. */
export function Channels({ contestant }: { contestant: Contestant }) {
  const [all, setAll] = useState(false)
  void contestant.version.value
  const stream = contestant.stream.value
  if (!stream) return null
  const { points } = contestant
  const samples = points.map(({ sample }) => sample)
  const shown = all ? stream.channels : stream.channels.slice(0, FIRST)
  return (
    <section class="card" aria-labelledby="channels-title">
      <header class="card-head">
        <h2 id="channels-title">Channels</h2>
        {stream.channels.length > FIRST && (
          <button type="button" onClick={() => setAll(!all)}>
            {all ? `Show the first ${FIRST}` : `Show all ${stream.channels.length}`}
          </button>
        )}
      </header>
      <div class="channels">
        {shown.map((name, channel) => (
          <SparkLine
            key={name}
            name={name}
            samples={samples}
            values={points.map(({ channels }) => channels[channel])}
            total={stream.samples}
          />
        ))}
      </div>
    </section>
  )
}
