import { useEffect, useState } from 'preact/hooks'
import type { Detail } from '../api/types.ts'
import { Timeline } from '../charts/timeline.tsx'
import { channelName, count, duration, percent } from '../format.ts'
import type { SystemFeed } from '../live/system-feed.ts'
import type { TimeWindow } from '../live/time-window.ts'
import { AlarmStatus } from '../parts/alarm-status.tsx'
import { ChannelChooser, shownChannels } from '../parts/channel-chooser.tsx'
import { ChannelGrid } from '../parts/channel-grid.tsx'
import { LevelMark, Probabilities, Votes } from '../parts/level.tsx'
import { Performance } from '../parts/performance.tsx'
import { SimulationControls } from '../parts/simulation.tsx'
import { TimelineLegend } from '../parts/timeline-legend.tsx'
import { WindowControls } from '../parts/window-controls.tsx'
import { text } from '../strings/en.ts'

/** Seconds without a sample after which the level counts as old. */
const STALE = 10

/** One system as it is now. */
export function Live({ feed, window: shown }: { feed: SystemFeed; window: TimeWindow }) {
  const detail = feed.detail.value as Detail
  const { channels, levels } = detail.configuration
  const visible = shownChannels(feed.id, channels)
  const select = (from: number, to: number) => void shown.show(from, to)
  return (
    <main id="content" tabIndex={-1} class="live-view">
      <h1 class="visually-hidden">{detail.title}</h1>
      <div class="column state">
        <LevelCard feed={feed} detail={detail} />
      </div>
      <div class="column charts">
        <section class="card" aria-labelledby="timeline-title">
          <header class="card-head">
            <h2 id="timeline-title">{text.live.timeline}</h2>
            <WindowControls window={shown} />
          </header>
          <Timeline samples={shown} levels={levels} group={feed.id} onSelect={select} />
          <TimelineLegend />
        </section>
        <section class="card" aria-labelledby="channels-title">
          <header class="card-head">
            <h2 id="channels-title">{text.live.channels}</h2>
            <span class="muted">{text.live.channelsShown(visible.length, channels.length)}</span>
            <ChannelChooser system={feed.id} names={channels} />
          </header>
          <ChannelGrid
            names={channels}
            shown={visible}
            samples={shown}
            group={feed.id}
            onSelect={select}
            held={detail.degraded}
          />
        </section>
      </div>
      <div class="column performance">
        <Performance feed={feed} detail={detail} />
        <SimulationControls system={feed.id} />
      </div>
    </main>
  )
}

function LevelCard({ feed, detail }: { feed: SystemFeed; detail: Detail }) {
  const { levels } = detail.configuration
  const now = feed.now.value
  const level = now?.likely ?? detail.likely
  const assessed = now?.level ?? detail.level
  const probabilities = now?.probabilities ?? detail.probabilities
  const age = useAge(now?.time ?? detail.lastSampleTime)
  const stale = age !== null && age > STALE
  return (
    <section class={`card level-card ${stale ? 'stale' : ''}`} aria-labelledby="level-title">
      <h2 id="level-title">{text.live.level}</h2>
      {level === null ? (
        <p class="level-large">{text.live.waiting}</p>
      ) : (
        <p class="level-large">
          <LevelMark level={level} levels={levels.length} size={56} />
          <span>{levels[level]}</span>
        </p>
      )}
      <dl class="pairs">
        <div>
          <dt>{text.live.confidence}</dt>
          <dd class="number">{percent(now?.confidence ?? detail.confidence, 0)}</dd>
        </div>
        <div>
          <dt>{text.live.rateTitle}</dt>
          <dd class="number">{stale ? text.live.stale(duration(age)) : text.live.rate(feed.rate.value.toFixed(0))}</dd>
        </div>
      </dl>
      <LevelAnnouncer name={level === null ? '' : levels[level]} />
      <AlarmStatus
        system={feed.id}
        alarm={detail.alarm}
        onChange={(next) => {
          feed.detail.value = next
        }}
      />
      {!detail.ready && <p class="problem">{text.live.notReady}</p>}
      <h3>{text.live.probabilities}</h3>
      <Probabilities values={probabilities} names={levels} />
      {now && (
        <>
          <h3>{text.live.experts}</h3>
          <Votes experts={now.experts} names={levels} label={text.review.votes} />
        </>
      )}
      {detail.degraded.length > 0 && (
        <>
          <h3>{text.live.degraded}</h3>
          <p class="problem">{detail.degraded.map(channelName).join(', ')}</p>
        </>
      )}
      <p class="muted small steady">
        {assessed !== null && assessed !== level ? text.live.exploring(levels[assessed]) : ''}
      </p>
      <p class="muted small number">
        {count(detail.samples)} {text.live.samples}, {detail.configuration.method}
      </p>
    </section>
  )
}

/** Tells a screen reader when the level changes and stays changed; not every flicker. */
function LevelAnnouncer({ name }: { name: string }) {
  const [said, setSaid] = useState(name)
  useEffect(() => {
    const timer = setTimeout(() => setSaid(name), 2_000)
    return () => clearTimeout(timer)
  }, [name])
  return (
    <span class="visually-hidden" role="status">
      {text.live.level}: {said}
    </span>
  )
}

/** Seconds since a time, counted on while nothing arrives. */
function useAge(time: number | null): number | null {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return time === null ? null : Math.max(0, (now - time) / 1000)
}
