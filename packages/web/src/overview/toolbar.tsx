import { changeQuery, query } from '../router.ts'
import { text } from '../strings/en.ts'
import { type Arrangement, GROUPINGS, SORTS } from './arrange.ts'

/** More systems than this are shown as rows, unless a person chooses. */
const MANY = 30

/** How the address arranges the overview. */
export function arrangement(): Arrangement {
  const { q = '', sort, group } = query.value
  return {
    search: q,
    sort: SORTS.find((word) => word === sort) ?? 'trouble',
    group: GROUPINGS.find((word) => word === group) ?? 'none',
  }
}

/** Whether systems are rows and not cards. */
export function isCompact(systems: number): boolean {
  const { view } = query.value
  return view === undefined ? systems > MANY : view === 'rows'
}

/** Search, order, groups, and rows or cards. All of it stands in the address. */
export function Toolbar({ systems }: { systems: number }) {
  const { search, sort, group } = arrangement()
  const compact = isCompact(systems)
  const words = text.overview
  return (
    <div class="overview-tools">
      <label class="field grow">
        <span>{words.search}</span>
        <input
          type="search"
          value={search}
          placeholder={words.searchHint}
          onInput={(event) => changeQuery({ q: event.currentTarget.value || undefined }, 'replace')}
        />
      </label>
      <label class="field">
        <span>{words.sort}</span>
        <select
          value={sort}
          onChange={({ currentTarget: { value } }) => changeQuery({ sort: value === 'trouble' ? undefined : value })}
        >
          {SORTS.map((word) => (
            <option key={word} value={word}>
              {words.sorts[word]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{words.group}</span>
        <select
          value={group}
          onChange={({ currentTarget: { value } }) => changeQuery({ group: value === 'none' ? undefined : value })}
        >
          {GROUPINGS.map((word) => (
            <option key={word} value={word}>
              {words.groupings[word]}
            </option>
          ))}
        </select>
      </label>
      <div class="segments">
        {(['cards', 'rows'] as const).map((view) => (
          <button
            key={view}
            type="button"
            aria-pressed={compact === (view === 'rows')}
            onClick={() => changeQuery({ view: (view === 'rows') === systems > MANY ? undefined : view })}
          >
            {words.views[view]}
          </button>
        ))}
      </div>
    </div>
  )
}
