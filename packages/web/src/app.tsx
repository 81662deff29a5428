import { useEffect, useRef } from 'preact/hooks'
import { AlarmBar } from './alarm/alarm-bar.tsx'
import { calling } from './alarm/calling.ts'
import { Alarms } from './alarms/alarms.tsx'
import { Announcer } from './chrome/announcer.tsx'
import { ClockNotice } from './chrome/clock-notice.tsx'
import { ConnectionBanner } from './chrome/connection.tsx'
import { Header } from './chrome/header.tsx'
import { feed, timeWindow } from './feed/feeds.ts'
import { History } from './history/history.tsx'
import { lazyView } from './lazy-view.tsx'
import { Live } from './live/live.tsx'
import { Overview } from './overview/overview.tsx'
import { Review } from './review/review.tsx'
import { route } from './router.ts'
import { mayRead, me, signInNeeded } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { PlayingBanner } from './setup/playing-banner.tsx'
import { alarmText } from './strings/alarms.ts'
import { text } from './strings/en.ts'

const People = lazyView(async () => (await import('./people/people.tsx')).People)
const PerformanceView = lazyView(async () => (await import('./performance/performance-view.tsx')).PerformanceView)
const Moment = lazyView(async () => (await import('./history/moment.tsx')).Moment)
const MomentAt = lazyView(async () => (await import('./history/moment-at.tsx')).MomentAt)
const Settings = lazyView(async () => (await import('./settings/settings.tsx')).Settings)
const Connect = lazyView(async () => (await import('./setup/connect.tsx')).Connect)
const NewSystem = lazyView(async () => (await import('./setup/new-system.tsx')).NewSystem)
const Tour = lazyView(async () => (await import('./tour/tour.tsx')).Tour)

/** The whole page: header, view, live region. */
export function App() {
  useTitle()
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {text.skip}
      </button>
      <Header />
      <div class="banners">
        <ConnectionBanner />
        <AlarmBar />
        <ClockNotice />
        <PlayingBanner />
      </div>
      <View />
      <Announcer />
    </>
  )
}

function View() {
  const at = route.value
  if (me.value === null) return <Waiting words={text.connection.connecting} />
  if (signInNeeded.value || !mayRead.value || at.view === 'sign-in') return <SignIn />
  if (at.view === 'overview') return <Overview />
  if (at.view === 'alarms') return <Alarms />
  if (at.view === 'new') return <NewSystem />
  if (at.view === 'people') return <People />
  if (at.view === 'tour') return <Tour />
  if (!('system' in at)) return <NotFound title={text.notFound.title} body={text.notFound.body} />
  const current = feed.value
  const shown = timeWindow.value
  if (!current || !shown || current.id !== at.system) return <Waiting words={text.connection.connecting} />
  const failure = current.failure.value
  if (failure) {
    const { missing, forbidden, other } = text.failure
    const title = failure.status === 404 ? missing(at.system) : failure.status === 403 ? forbidden(at.system) : other
    return <NotFound title={title} body={failure.message} />
  }
  if (!current.detail.value) return <Waiting words={text.connection.connecting} />
  if (at.view === 'review') return <Review feed={current} />
  if (at.view === 'history') return <History feed={current} />
  if (at.view === 'performance') return <PerformanceView feed={current} />
  if (at.view === 'connect') return <Connect feed={current} />
  if (at.view === 'settings') return <Settings key={current.id} feed={current} />
  if (at.view === 'moment-at') return <MomentAt system={at.system} time={at.time} />
  if (at.view === 'moment') return <Moment feed={current} event={at.event} />
  return <Live key={current.id} feed={current} window={shown} />
}

function NotFound({ title, body }: { title: string; body: string }) {
  return (
    <main id="content" tabIndex={-1}>
      <div class="empty">
        <h1>{title}</h1>
        <p class="muted">{body}</p>
        <a class="button" href="#/">
          {text.notFound.back}
        </a>
      </div>
    </main>
  )
}

function Waiting({ words }: { words: string }) {
  return (
    <main id="content" tabIndex={-1}>
      <h1 class="visually-hidden">{text.product}</h1>
      <p class="muted" role="status">
        {words}
      </p>
      <div class="waiting-view" aria-hidden="true">
        <div class="skeleton" />
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </main>
  )
}

/** Names the view in the title of the window, and moves the focus to the view after a change. */
function useTitle(): void {
  const at = route.value
  const first = useRef(true)
  const detail = 'system' in at ? feed.value?.detail.value : undefined
  const system = 'system' in at ? at.system : ''
  const name = detail?.title ?? system
  const state = detail?.trained === false ? text.untrained.short : ''
  const view = at.view in text.nav ? text.nav[at.view as keyof typeof text.nav] : ''
  const alarms = calling.value.length
  const call = alarms > 0 ? alarmText.inTitle(alarms) : ''
  const title = [call, state, view, name, text.product].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (!first.current) document.getElementById('content')?.focus({ preventScroll: true })
    first.current = false
    scrollTo(0, 0)
    // Not when the system's title arrives: somebody may be typing by then.
  }, [at.view, system])
}
