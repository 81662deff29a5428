import { useEffect } from 'preact/hooks'
import { Icon } from '../chrome/icon.tsx'
import { repeat } from '../feed/repeat.ts'
import { systems } from '../feed/systems.ts'
import { isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { arrange, type Group } from './arrange.ts'
import { SystemCard } from './system-card.tsx'
import { SystemRow } from './system-row.tsx'
import { arrangement, isCompact, Toolbar } from './toolbar.tsx'
import { loadTrends } from './trends.ts'
import { inAlarm, waitsForSomebody } from './trouble.ts'

/** The trend changes slowly, and asking for it costs more than the list. */
const TREND_POLL = 10_000
/** Fewer systems need no tools. */
const FEW = 4

/** All systems; those with stale data or alarms come first unless a person wants another order. */
export function Overview() {
  useEffect(() => repeat(TREND_POLL, loadTrends), [])
  const list = systems.value
  const alarms = list?.filter(inAlarm).length ?? 0
  const over = list?.filter(waitsForSomebody).length ?? 0
  const groups = arrange(list ?? [], arrangement())
  const compact = isCompact(list?.length ?? 0)
  return (
    <main id="content" tabIndex={-1} class="overview">
      <header class="view-head">
        <h1>{text.overview.title}</h1>
        {list && list.length > 0 && <p class="muted">{text.overview.counts(list.length, alarms, over)}</p>}
        {isAdmin.value && list && list.length > 0 && (
          <a class="button new-system" href="#/new">
            <Icon name="plus" /> {text.create.link}
          </a>
        )}
      </header>
      {list === null && (
        <div class="waiting-view" role="status" aria-label={text.overview.loading}>
          <div class="skeleton" />
          <div class="skeleton" />
          <div class="skeleton" />
        </div>
      )}
      {list?.length === 0 && (
        <div class="empty">
          <h2>{text.overview.empty}</h2>
          <p>{isAdmin.value ? text.overview.emptyHint : text.overview.emptyForOthers}</p>
          <a href="#/tour">{text.tour.title}</a>
          {isAdmin.value && (
            <a class="button primary" href="#/new">
              <Icon name="plus" /> {text.create.link}
            </a>
          )}
        </div>
      )}
      {(list?.length ?? 0) >= FEW && <Toolbar systems={list?.length ?? 0} />}
      {list && list.length > 0 && groups.length === 0 && <p class="muted">{text.overview.noneFound}</p>}
      {groups.map((group) => (
        <GroupOfSystems key={group.title} group={group} compact={compact} />
      ))}
    </main>
  )
}

function GroupOfSystems({ group: { title, systems: members }, compact }: { group: Group; compact: boolean }) {
  return (
    <section class="system-group" aria-label={title || text.overview.title}>
      {title !== '' && (
        <header class="card-head">
          <h2>{title}</h2>
          <span class="muted number">{text.overview.members(members.length, members.filter(inAlarm).length)}</span>
        </header>
      )}
      <ul class={compact ? 'system-rows' : 'systems'}>
        {members.map((system) => (
          <li key={system.id}>{compact ? <SystemRow system={system} /> : <SystemCard system={system} />}</li>
        ))}
      </ul>
    </section>
  )
}
