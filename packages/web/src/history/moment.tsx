import type { LogPage, LogRecord, SystemState } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { AlarmBadge } from '../alarm/alarm-badge.tsx'
import { type ApiError, get, LONG_WORK, systemPath } from '../api/client.ts'
import { ChannelGrid } from '../channels/channel-grid.tsx'
import type { Samples } from '../charts/samples.ts'
import { announce } from '../chrome/announcer.tsx'
import { Icon } from '../chrome/icon.tsx'
import { Comments } from '../comments/comments.tsx'
import { readChart, ringOfChart } from '../feed/chart.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Confidence } from '../level/confidence.tsx'
import { LevelLarge } from '../level/level-large.tsx'
import { Support } from '../level/support.tsx'
import { PromiseList } from '../promises/promise-list.tsx'
import { momentLink, systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { count, moment as momentText, percent } from '../strings/format.ts'
import { byContribution, markedChannels } from '../why/marked.ts'
import { Reasons } from '../why/reasons.tsx'
import { Exclude } from './exclude.tsx'
import { RecordTable } from './record-table.tsx'

const words = text.moment
/** Milliseconds before and after the moment. */
const AROUND = 30_000
/** Records shown before and after it. */
const NEAR = 6
/** Records from one step to the next. */
const STEP = 100

interface Found {
  state: SystemState
  records: LogRecord[]
  samples: Samples
  time: number
  /** The latest assessment by then, where it is near. */
  assessment: number | undefined
}

/** A system as it was after a record of its log. */
export function Moment({ feed, event }: { feed: SystemFeed; event: number }) {
  const found = useSignal<Found | null>(null)
  const problem = useSignal('')
  const waiting = useSignal<string>(words.replaying)
  useEffect(() => {
    const request = new AbortController()
    found.value = null
    problem.value = ''
    waiting.value = words.replaying
    find(feed.id, event, request.signal, () => {
      waiting.value = words.busy
    }).then(
      (result) => {
        found.value = result
      },
      (error) => {
        if (!request.signal.aborted) problem.value = words.failed((error as ApiError).message)
      },
    )
    return () => request.abort()
  }, [feed, event, found, problem, waiting])

  const copy = () =>
    void navigator.clipboard?.writeText(location.href).then(
      () => announce(words.copied),
      () => {},
    )
  const last = feed.detail.value?.sequence ?? event
  return (
    <main id="content" tabIndex={-1} class="moment">
      <header class="view-head">
        <h1>{words.title(count(event))}</h1>
        <p class="muted">{found.value ? `${momentText(found.value.time)}. ${words.lead}` : ''}</p>
        <nav class="row" aria-label={text.history.title}>
          <a class="button" href={momentLink(feed.id, Math.max(1, event - STEP))}>
            <Icon name="left" /> {words.before}
          </a>
          <a class="button" href={momentLink(feed.id, Math.min(last, event + STEP))}>
            {words.after} <Icon name="right" />
          </a>
          <button type="button" onClick={copy}>
            {words.copy}
          </button>
          <a class="button" href={systemLink(feed.id)}>
            {words.live}
          </a>
        </nav>
      </header>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!found.value && !problem.value && (
        <p class="muted" role="status">
          {waiting.value}
        </p>
      )}
      {found.value && <FoundMoment found={found.value} system={feed.id} event={event} />}
    </main>
  )
}

function FoundMoment({ found, system, event }: { found: Found; system: string; event: number }) {
  const { state, samples, time } = found
  const detail = state.system
  const { levels, channels, promises: rule } = detail.configuration
  const drawn = detail.level !== detail.likely
  return (
    <div class="moment-grid">
      <section class="card level-card">
        <h2>{words.level}</h2>
        <LevelLarge
          level={detail.likely}
          names={levels}
          trained={detail.trained}
          safeSide={detail.safeSide}
          missTarget={rule?.missTarget}
        />
        <AlarmBadge alarm={detail.alarm} />
        {detail.staleAlarm && detail.staleAlarm.status !== 'normal' && <AlarmBadge alarm={detail.staleAlarm} />}
        {detail.likely !== null && <Support values={detail.probabilities} names={levels} />}
        {drawn && detail.level !== null && <p class="muted small">{text.confidence.drawn(levels[detail.level])}</p>}
        <dl class="pairs">
          {detail.trained && <Confidence value={drawn ? null : detail.confidence} measured={rule !== undefined} />}
          <div>
            <dt>{text.live.accuracy(detail.estimated)}</dt>
            <dd class="number">{percent(detail.accuracy)}</dd>
          </div>
          <div>
            <dt>{text.live.counts.open}</dt>
            <dd class="number">{count(detail.openQuestions)}</dd>
          </div>
          <div>
            <dt>{text.live.counts.samples}</dt>
            <dd class="number">{count(detail.samples)}</dd>
          </div>
        </dl>
        {detail.trained && (
          <>
            <h3>{text.why.title}</h3>
            <Reasons
              explained={state.explanation ? state : { problem: text.why.untold }}
              configuration={detail.configuration}
            />
          </>
        )}
        <h3>{text.promises.title}</h3>
        <PromiseList guarantee={state.guarantee} configuration={detail.configuration} />
        <h3>{words.hash}</h3>
        <p class="hash">{state.stateHash}</p>
      </section>
      <Around {...{ found, system, event }} />
      <section class="card wide" aria-labelledby="around-title">
        <h2 id="around-title">{words.around}</h2>
        <ChannelGrid
          configuration={detail.configuration}
          shown={byContribution(state.explanation, channels)}
          marked={markedChannels(state.explanation, channels)}
          samples={samples}
          group="moment"
          moment={time}
        />
      </section>
    </div>
  )
}

/** The records around a moment, what people remarked on it, and how to forget it. */
function Around({ found, system, event }: { found: Found; system: string; event: number }) {
  const { state, records, assessment } = found
  return (
    <div class="moment-side">
      <section class="card" aria-labelledby="records-title">
        <h2 id="records-title">{words.records}</h2>
        <RecordTable records={records} system={system} levels={state.system.configuration.levels} current={event} />
      </section>
      {assessment !== undefined && <Comments system={system} assessment={assessment} />}
      <Exclude system={system} event={event} records={records} />
    </div>
  )
}

async function find(system: string, event: number, signal: AbortSignal, busy: () => void): Promise<Found> {
  const state = await replay(system, event, signal, busy)
  const { records } = await get<LogPage>(
    systemPath(system, '/log'),
    { from: Math.max(1, event - NEAR), to: event + NEAR, limit: 2 * NEAR + 1 },
    signal,
  )
  const time = records.find(({ sequence }) => sequence === event)?.time ?? state.system.lastSampleTime ?? 0
  const channels = state.system.configuration.channels.length
  const ring = ringOfChart(
    await readChart(system, channels, { from: time - AROUND, to: time + AROUND }, signal),
    channels,
  )
  const from = Math.max(time - AROUND, ring.length > 0 ? ring.first : 0)
  const to = Math.min(time + AROUND, ring.length > 0 ? Math.max(ring.last, time) : time) + 1
  const assessed = records.findLast(({ kind, sequence }) => kind === 'assessment' && sequence <= event + 1)
  const assessment = assessed && (assessed.body as { assessment: number }).assessment
  return { state, records: [...records].reverse(), samples: { ring, from, to }, time, assessment }
}

/** Asks for the state after a record. The server lets few moments wait to be rebuilt, so that ours may come later. */
async function replay(system: string, event: number, signal: AbortSignal, busy: () => void): Promise<SystemState> {
  for (;;) {
    try {
      return await get<SystemState>(systemPath(system, '/state'), { at: event, explain: true }, signal, LONG_WORK)
    } catch (error) {
      if ((error as ApiError).status !== 503 || signal.aborted) throw error
      busy()
      await new Promise((done) => setTimeout(done, 500))
    }
  }
}
