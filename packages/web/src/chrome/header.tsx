import { nextTheme, themeChoice } from '../device/theme.ts'
import { feed } from '../feed/feeds.ts'
import { route, systemLink, type Tab } from '../router.ts'
import { me, signInNeeded } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { AlarmLink } from './alarm-link.tsx'
import { ConnectionBadge } from './connection.tsx'
import { Icon } from './icon.tsx'
import { PersonMenu } from './person-menu.tsx'

/** The top of the page: where one is, the views of the system, the connection, the theme, and who one is. */
export function Header() {
  const at = route.value
  const current = 'system' in at && me.value && !signInNeeded.value ? at.system : undefined
  const detail = current === undefined ? undefined : feed.value?.detail.value
  const tab = (view: 'live' | Tab, label: string, extra?: string) => (
    <a
      href={systemLink(current as string, view === 'live' ? undefined : view)}
      aria-current={at.view === view || at.view === BELONGS[view] ? 'page' : undefined}
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
      {detail?.trained === false && <span class="badge untrained-badge">{text.untrained.short}</span>}
      {current !== undefined && (
        <nav class="tabs" aria-label={text.nav.main}>
          {tab('live', text.nav.live)}
          {tab('review', text.nav.review, detail ? shortCount(detail.openQuestions) : undefined)}
          {tab('performance', text.nav.performance)}
          {tab('history', text.nav.history)}
          {tab('settings', text.nav.settings)}
        </nav>
      )}
      <span class="spacer" />
      {me.value && !signInNeeded.value && <AlarmLink current={at.view === 'alarms'} />}
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

/** Views that have no tab of their own, by the tab that leads to them. */
const BELONGS: Partial<Record<'live' | Tab, string>> = { history: 'moment', settings: 'connect' }

const shortCount = (count: number) => (count > 999 ? '999+' : String(count))
