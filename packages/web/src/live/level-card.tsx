import type { SystemDetail } from '@pb-oel/protocol'
import { useEffect, useState } from 'preact/hooks'
import { AlarmStatus } from '../alarm/alarm-status.tsx'
import type { SystemFeed } from '../feed/system-feed.ts'
import { LevelMark } from '../level/level-mark.tsx'
import { Probabilities } from '../level/probabilities.tsx'
import { Votes } from '../level/votes.tsx'
import { text } from '../strings/en.ts'
import { channelName, duration, percent } from '../strings/format.ts'

/** Seconds without a sample after which the level counts as old. */
const STALE = 10

/** The level now: how sure the model is, the alarm, and what stands behind the level. */
export function LevelCard({ feed, detail }: { feed: SystemFeed; detail: SystemDetail }) {
  const { levels } = detail.configuration
  const now = feed.now.value
  const level = now?.likely ?? detail.likely
  const assessed = now?.level ?? detail.level
  const probabilities = now?.probabilities ?? detail.probabilities
  const age = useAge(now?.time ?? detail.lastSampleTime)
  const stale = age !== null && age > STALE
  return (
    <section class={`card level-card ${stale || !detail.ready ? 'stale' : ''}`} aria-labelledby="level-title">
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
        {text.live.samples(detail.samples)}, {detail.configuration.method}
      </p>
    </section>
  )
}

/** Tells a screen reader when the level has changed and stays changed. It leaves out every flicker. */
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

/** Seconds since a time. They go on while nothing arrives. */
function useAge(time: number | null): number | null {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return time === null ? null : Math.max(0, (now - time) / 1000)
}
