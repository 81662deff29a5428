import type { SystemDetail } from '@pb-oel/protocol'
import { useEffect, useState } from 'preact/hooks'
import { AlarmStatus } from '../alarm/alarm-status.tsx'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Confidence } from '../level/confidence.tsx'
import { LevelLarge } from '../level/level-large.tsx'
import { Support } from '../level/support.tsx'
import { Votes } from '../level/votes.tsx'
import { NeverTold } from '../promises/never-told.tsx'
import { Untrained } from '../promises/untrained.tsx'
import { text } from '../strings/en.ts'
import { channelName, duration } from '../strings/format.ts'

/** Seconds without a sample after which the level counts as old. */
const STALE = 10

/** The level now: how sure the model is, the alarm, and what stands behind the level. */
export function LevelCard({ feed, detail }: { feed: SystemFeed; detail: SystemDetail }) {
  const { levels, promises: rule } = detail.configuration
  const now = feed.now.value
  // A sample that was assessed before the system was trained says nothing, whatever the system is by now.
  const { likely, level, confidence, probabilities, safeSide = null } = now?.trained ? now : detail
  const trained = detail.trained || now?.trained === true
  const drawn = likely !== null && level !== likely
  const age = useAge(feed, now?.time ?? detail.lastSampleTime)
  const limit = detail.staleAfter ?? (detail.staleAlarm ? STALE : Number.POSITIVE_INFINITY)
  const stale = age !== null && age > limit
  return (
    <section class={`card level-card ${stale || !detail.ready ? 'stale' : ''}`} aria-labelledby="level-title">
      <h2 id="level-title">{text.live.level}</h2>
      <LevelLarge level={likely} names={levels} trained={trained} safeSide={safeSide} missTarget={rule?.missTarget} />
      {(now?.novelty?.novel ?? detail.novel) && <p class="problem novel">{text.novelty.now}</p>}
      {trained && <NeverTold names={levels} report={feed.guarantee.value?.promises} />}
      {!trained && <Untrained system={feed.id} names={levels} report={feed.guarantee.value?.promises} />}
      <dl class="pairs">
        {trained && <Confidence value={drawn ? null : confidence} measured={rule !== undefined} />}
        <div>
          <dt>{text.live.rateTitle}</dt>
          <dd class="number">{stale ? text.live.stale(duration(age)) : text.live.rate(feed.rate.value)}</dd>
        </div>
      </dl>
      <LevelAnnouncer name={trained ? (likely === null ? '' : levels[likely]) : text.untrained.short} />
      {detail.alarms
        .filter(({ about, status }) => about === 'level' || (about !== 'accuracy' && status !== 'normal'))
        .map((alarm) => (
          <AlarmStatus key={alarm.about} system={feed.id} alarm={alarm} />
        ))}
      {!detail.ready && <p class="problem">{text.live.notReady}</p>}
      {trained && <Support values={probabilities} names={levels} />}
      {now?.trained && (
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
      <p class="muted small steady">{drawn && level !== null ? text.confidence.drawn(levels[level]) : ''}</p>
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

/** Seconds since a time, by the server's clock. They go on while nothing arrives. */
function useAge(feed: SystemFeed, time: number | null): number | null {
  const [now, setNow] = useState(feed.serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(feed.serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [feed])
  return time === null ? null : Math.max(0, (now - time) / 1000)
}
