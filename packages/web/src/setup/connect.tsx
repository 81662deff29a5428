import type { SystemDetail, TokenReceipt } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Choice } from '../forms/field.tsx'
import { systemLink } from '../router.ts'
import { isAdmin, me } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { duration } from '../strings/format.ts'
import { OwnTopics } from './own-topics.tsx'
import { SnippetBox } from './snippet-box.tsx'
import { snippet, type Way } from './snippets.ts'

const words = text.connect
const WAYS: readonly (Way | 'topics')[] = ['curl', 'python', 'mqtt', 'topics', 'line']

/** How data come to a system: paste-ready snippets, and a light that turns green at the first sample. */
export function Connect({ feed }: { feed: SystemFeed }) {
  const detail = feed.detail.value as SystemDetail
  const way = useSignal<Way | 'topics'>('curl')
  return (
    <main id="content" tabIndex={-1} class="setup connect">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      <Arrival detail={detail} />
      <section class="card" aria-label={words.wayLabel}>
        <Choice
          label={words.wayLabel}
          value={way.value}
          choices={WAYS.map((one) => [one, words.ways[one]] as const)}
          onChange={(choice) => {
            way.value = choice
          }}
        />
        {way.value === 'topics' ? (
          <OwnTopics system={feed.id} channels={detail.configuration.channels} />
        ) : (
          <Snippet system={feed.id} channels={detail.configuration.channels} way={way.value} />
        )}
      </section>
    </main>
  )
}

/** The words that send a sample, with a token where one is needed. */
function Snippet({ system, channels, way }: { system: string; channels: readonly string[]; way: Way }) {
  const token = useSignal<string | undefined>(undefined)
  const open = me.value?.open ?? false
  const shown = snippet(way, {
    ...{ origin: location.origin, system, channels },
    token: open ? undefined : (token.value ?? 'TOKEN'),
  })
  return (
    <>
      <SnippetBox
        label={words.snippet(words.ways[way])}
        shown={shown}
        hint={way === 'mqtt' ? words.mqttHint : undefined}
      />
      {open ? (
        <p class="muted small">{words.tokenOpen}</p>
      ) : (
        <SensorToken
          system={system}
          made={token.value !== undefined}
          onToken={(made) => {
            token.value = made
          }}
        />
      )}
    </>
  )
}

function Arrival({ detail: { id, samples, lastSampleAge } }: { detail: SystemDetail }) {
  const arrived = samples > 0
  return (
    <section class={`card arrival ${arrived ? 'arrived' : ''}`} aria-label={words.title}>
      <p role="status">{arrived ? words.arrived(samples, duration(lastSampleAge ?? 0)) : words.waiting}</p>
      {arrived && (
        <a class="button" href={systemLink(id)}>
          {words.live}
        </a>
      )}
    </section>
  )
}

/** Makes a token that may only send samples to this system. */
function SensorToken({ system, made, onToken }: { system: string; made: boolean; onToken: (token: string) => void }) {
  const problem = useSignal('')
  if (!isAdmin.value) return <p class="muted small">{words.notAdmin}</p>
  const make = async () => {
    problem.value = ''
    try {
      const body = { name: `sensor of ${system}`, roles: ['sensor'], systems: [system] }
      onToken((await request<TokenReceipt>('POST', '/v1/tokens', body)).token)
    } catch (error) {
      problem.value = sayFailed(error, words.tokenFailed)
    }
  }
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => void make()} disabled={made}>
          {words.token}
        </button>
        <span class="muted small" role="status">
          {made ? words.tokenMade : words.tokenHint}
        </span>
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </>
  )
}
