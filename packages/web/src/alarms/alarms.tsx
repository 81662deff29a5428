import { type AlarmList, type AlarmMessage, type AlarmOfSystem, PRIORITIES, type Priority } from '@pb-oel/protocol'
import { useEffect, useState } from 'preact/hooks'
import { notifyOn, soundOn, switchNotifications, switchSound } from '../alarm/attention.ts'
import { type ApiError, get } from '../api/client.ts'
import { repeat } from '../feed/repeat.ts'
import { changeQuery, query } from '../router.ts'
import { alarmText } from '../strings/alarms.ts'
import { AlarmHistory } from './alarm-history.tsx'
import { AlarmRow } from './alarm-row.tsx'
import { Flood } from './flood-figures.tsx'

/** Milliseconds between two looks. */
const POLL = 2_000
const words = alarmText.list

type Show = keyof typeof alarmText.filter.shows

/** Which alarms of a list are shown, by the word in the address. */
const SHOWN: Record<Show, (alarm: AlarmOfSystem) => boolean> = {
  calling: ({ calls }) => calls,
  standing: (alarm) => alarm.status !== 'normal' || isHidden(alarm),
  hidden: (alarm) => isHidden(alarm),
  all: () => true,
}

/** The alarms of all systems: those that stand, what happened to them, and how many people have to bear. */
export function Alarms() {
  const [list, setList] = useState<AlarmList | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = async () => {
    try {
      setList(await get<AlarmList>('/v1/alarms', { show: 'all' }))
      setProblem(null)
    } catch (error) {
      setProblem((error as ApiError).message)
    }
  }
  useEffect(() => repeat(POLL, load), [])
  const { show, priority, search } = filterOf(query.value)
  const alarms = list?.alarms ?? []
  const shown = alarms.filter((alarm) => SHOWN[show](alarm) && isUrgent(alarm, priority) && matches(alarm, search))
  const calling = alarms.filter(({ calls }) => calls).length
  return (
    <main id="content" tabIndex={-1} class="alarms-view">
      <header class="view-head">
        <h1>{alarmText.title}</h1>
        <p class="muted" role="status">
          {list && (calling > 0 ? alarmText.waiting(calling) : words.none)}
        </p>
        <Attention />
      </header>
      {problem && (
        <p class="problem" role="alert">
          {words.failed(problem)}
        </p>
      )}
      <Filter />
      <section aria-labelledby="alarms-now">
        <h2 id="alarms-now">
          {words.heading} <span class="muted number">{list && words.counts(shown.length, alarms.length)}</span>
        </h2>
        {!list && !problem && <p class="muted">{words.loading}</p>}
        {list && shown.length === 0 && <p class="muted">{alarms.length === 0 ? words.none : words.noMatch}</p>}
        <ul class="alarm-list">
          {shown.map((alarm) => (
            <AlarmRow key={`${alarm.system}/${alarm.about}`} alarm={alarm} done={() => void load()} />
          ))}
        </ul>
      </section>
      {list && <Flood figures={list.figures} />}
      <AlarmHistory
        news={alarms.map(({ since, number, step = 0 }) => `${since}.${number}.${step}`).join()}
        wanted={(change) => isUrgent(change, priority) && matches(change, search)}
      />
    </main>
  )
}

function Filter() {
  const { show, priority, search } = filterOf(query.value)
  const { shows, priorities, ...labels } = alarmText.filter
  return (
    <form class="row alarm-filter" aria-label={labels.label} onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        {labels.show}
        <select value={show} onChange={({ currentTarget }) => changeQuery({ show: currentTarget.value })}>
          {Object.entries(shows).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {labels.priority}
        <select value={priority} onChange={({ currentTarget }) => changeQuery({ priority: currentTarget.value })}>
          {PRIORITIES.map((value) => (
            <option key={value} value={value}>
              {priorities[value]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {labels.search}
        <input
          type="search"
          value={search}
          placeholder={labels.searchHint}
          onInput={({ currentTarget }) => changeQuery({ search: currentTarget.value || undefined }, 'replace')}
        />
      </label>
    </form>
  )
}

/** How this device calls its person. */
function Attention() {
  const [denied, setDenied] = useState(false)
  return (
    <fieldset class="row attention">
      <legend class="visually-hidden">{alarmText.attention.heading}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={soundOn.value}
          onChange={({ currentTarget }) => switchSound(currentTarget.checked)}
        />
        {alarmText.attention.sound}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={notifyOn.value}
          onChange={async ({ currentTarget }) => setDenied(!(await switchNotifications(currentTarget.checked)))}
        />
        {alarmText.attention.notify}
      </label>
      {denied && (
        <span class="problem small" role="alert">
          {alarmText.attention.denied}
        </span>
      )}
    </fieldset>
  )
}

/** The filter in the address; anything else in it counts as left out. */
function filterOf(words: Readonly<Record<string, string>>): { show: Show; priority: Priority; search: string } {
  const show = Object.hasOwn(SHOWN, words.show ?? '') ? (words.show as Show) : 'standing'
  const priority = PRIORITIES.find((name) => name === words.priority) ?? 'low'
  return { show, priority, search: words.search ?? '' }
}

function isHidden({ shelved, suppressed, outOfService }: AlarmOfSystem): boolean {
  return shelved !== undefined || suppressed !== undefined || outOfService !== undefined
}

function isUrgent({ priority = 'low' }: Pick<AlarmMessage, 'priority'>, least: Priority): boolean {
  return PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(least)
}

function matches({ system, title, about = 'level', rule = '' }: AlarmMessage | AlarmOfSystem, search: string): boolean {
  return `${system} ${title} ${about} ${rule}`.toLowerCase().includes(search.trim().toLowerCase())
}
