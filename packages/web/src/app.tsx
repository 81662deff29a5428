import { useEffect, useRef } from 'preact/hooks'
import { feed, timeWindow } from './live/feeds.ts'
import { Announcer } from './parts/announcer.tsx'
import { ConnectionBadge, ConnectionBanner } from './parts/connection.tsx'
import { Icon } from './parts/icon.tsx'
import { PersonMenu } from './parts/person-menu.tsx'
import { route, systemLink } from './router.ts'
import { mayRead, me, signInNeeded } from './session.ts'
import { text } from './strings/en.ts'
import { nextTheme, themeChoice } from './theme.ts'
import { History } from './views/history.tsx'
import { Live } from './views/live.tsx'
import { Moment } from './views/moment.tsx'
import { Overview } from './views/overview.tsx'
import { Review } from './views/review.tsx'
import { SignIn } from './views/sign-in.tsx'

/** The page: header, view, live regions. */
export function App() {
  useTitle()
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {text.skip}
      </button>
      <Header />
      <ConnectionBanner />
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
  if (at.view === 'unknown') return <NotFound title={text.notFound.title} body={text.notFound.body} />
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
  if (at.view === 'moment') return <Moment feed={current} event={at.event} />
  return <Live key={current.id} feed={current} window={shown} />
}

function Header() {
  const at = route.value
  const current = 'system' in at && me.value && !signInNeeded.value ? at.system : undefined
  const detail = current === undefined ? undefined : feed.value?.detail.value
  const tab = (view: 'live' | 'review' | 'history', label: string, extra?: string) => (
    <a
      href={systemLink(current as string, view === 'live' ? undefined : view)}
      aria-current={at.view === view || (view === 'history' && at.view === 'moment') ? 'page' : undefined}
    >
      <Icon name={view} size={18} />
      <span>{label}</span>
      {extra && <span class="pill number">{extra}</span>}
    </a>
  )
  return (
    <header class="top">
      <a class="product" href="#/" aria-label={`${text.product}, ${text.nav.systems}`}>
        <img src="./icon.svg" alt="" width="26" height="26" />
        <span>{text.product}</span>
      </a>
      {current !== undefined && <span class="where">{detail?.title ?? current}</span>}
      {current !== undefined && (
        <nav class="tabs" aria-label={text.nav.main}>
          {tab('live', text.nav.live)}
          {tab('review', text.nav.review, detail ? shortCount(detail.openQuestions) : undefined)}
          {tab('history', text.nav.history)}
        </nav>
      )}
      <span class="spacer" />
      <ConnectionBadge />
      <button
        type="button"
        class="ghost"
        onClick={nextTheme}
        aria-label={text.theme[themeChoice.value]}
        title={text.theme[themeChoice.value]}
      >
        <Icon name={themeChoice.value} size={18} />
      </button>
      {me.value && !signInNeeded.value && <PersonMenu />}
    </header>
  )
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
    </main>
  )
}

/** The title of the window names the view; after a change of view the focus goes to it. */
function useTitle(): void {
  const at = route.value
  const first = useRef(true)
  const name = 'system' in at ? (feed.value?.detail.value?.title ?? at.system) : ''
  const view = at.view === 'live' || at.view === 'review' || at.view === 'history' ? text.nav[at.view] : ''
  const title = [view, name, text.product].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (!first.current) document.getElementById('content')?.focus({ preventScroll: true })
    first.current = false
    scrollTo(0, 0)
  }, [at.view, name])
}

const shortCount = (count: number) => (count > 999 ? '999+' : String(count))
