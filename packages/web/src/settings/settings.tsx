import type { Configuration, ConfigurationChange, SystemDetail } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed, systemPath } from '../api/client.ts'
import { Icon } from '../chrome/icon.tsx'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Field, NumberField } from '../forms/field.tsx'
import { Outcome } from '../forms/outcome.tsx'
import { systemLink } from '../router.ts'
import { isAdmin, mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { AddLevel } from './add-level.tsx'
import { AssignSystem } from './assign-system.tsx'
import { ChannelSettings } from './channel-settings.tsx'
import { EndSystem } from './end-system.tsx'
import { NoveltyRule } from './novelty-rule.tsx'
import { ReviewRule } from './review-rule.tsx'

const words = text.settings

/** What may change while a system lives. Nothing changes before it is saved. */
export function Settings({ feed }: { feed: SystemFeed }) {
  const { configuration } = feed.detail.value as SystemDetail
  const change = useSignal<ConfigurationChange>({})
  const said = useSignal('')
  const wrong = useSignal('')
  const set = (part: ConfigurationChange) => {
    change.value = { ...change.value, ...part }
    said.value = ''
  }
  const save = async (event: Event) => {
    event.preventDefault()
    wrong.value = ''
    if (Object.keys(change.value).length === 0) {
      said.value = words.unchanged
      return
    }
    try {
      feed.detail.value = await request<SystemDetail>('PATCH', systemPath(feed.id), change.value)
      change.value = {}
      said.value = words.saved
    } catch (error) {
      wrong.value = sayFailed(error, words.failed)
    }
  }
  return (
    <main id="content" tabIndex={-1} class="settings-view">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
        <a class="button" href={systemLink(feed.id, 'connect')}>
          <Icon name="connect" /> {text.connect.link}
        </a>
      </header>
      {/* A viewer sees how the system is set, and changes nothing. */}
      <form onSubmit={save} noValidate>
        <fieldset disabled={!isAdmin.value}>
          <Names configuration={configuration} change={change.value} set={set} />
          <ChannelSettings configuration={configuration} change={change.value} set={set} />
          <AlarmRule configuration={configuration} change={change.value} set={set} />
          <AskRule configuration={configuration} change={change.value} set={set} />
          <NoveltyRule configuration={configuration} change={change.value} set={set} />
          <ReviewRule configuration={configuration} change={change.value} set={set} />
        </fieldset>
        {isAdmin.value && (
          <div class="row">
            <button type="submit" class="primary">
              {words.save}
            </button>
            <Outcome said={said.value} wrong={wrong.value} />
          </div>
        )}
      </form>
      {isAdmin.value && <AddLevel feed={feed} />}
      {mayAnswer.value && <AssignSystem feed={feed} />}
      {isAdmin.value && <EndSystem feed={feed} archived={configuration.archived ?? false} />}
    </main>
  )
}

/** What a part of the form gets: how things are, what is to change, and how to change more. */
export interface PartProps {
  configuration: Configuration
  change: ConfigurationChange
  set: (part: ConfigurationChange) => void
}

function Names({ configuration, change, set }: PartProps) {
  const { title = configuration.title, levels = configuration.levels } = change
  return (
    <section class="card" aria-labelledby="names-title">
      <h2 id="names-title">{words.names}</h2>
      <Field label={text.create.name}>
        {(id) => (
          <input
            id={id}
            maxLength={100}
            value={title}
            onInput={({ currentTarget }) => set({ title: currentTarget.value })}
          />
        )}
      </Field>
      <div class="options">
        {levels.map((level, i) => (
          <Field key={i} label={text.create.levels.nameOf(i + 1)}>
            {(id) => (
              <input
                id={id}
                maxLength={100}
                value={level}
                onInput={({ currentTarget }) => set({ levels: levels.with(i, currentTarget.value) })}
              />
            )}
          </Field>
        ))}
      </div>
    </section>
  )
}

function AlarmRule({ configuration, change, set }: PartProps) {
  const alarm = { ...configuration.alarm, ...change.alarm }
  const setAlarm = (part: Partial<Configuration['alarm']>) => set({ alarm: { ...change.alarm, ...part } })
  return (
    <section class="card" aria-labelledby="rules-title">
      <h2 id="rules-title">{words.alarm}</h2>
      <div class="options">
        <Field label={words.alarmLevel}>
          {(id) => (
            <select
              id={id}
              value={String(alarm.level)}
              onChange={({ currentTarget: { value } }) =>
                setAlarm({ level: Number(value), clearBelow: Math.min(alarm.clearBelow, Number(value)) })
              }
            >
              {configuration.levels.slice(1).map((name, i) => (
                <option key={name} value={String(i + 1)}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField
          label={words.raiseAfter}
          value={alarm.raiseAfter}
          least={0}
          onChange={(raiseAfter = 0) => setAlarm({ raiseAfter })}
        />
        <NumberField
          label={words.clearAfter}
          value={alarm.clearAfter}
          least={0}
          onChange={(clearAfter = 0) => setAlarm({ clearAfter })}
        />
      </div>
    </section>
  )
}

function AskRule({ configuration, change, set }: PartProps) {
  const ask = change.ask === undefined ? configuration.ask : (change.ask ?? undefined)
  const { pending = 1024 } = configuration.options as { pending?: number }
  return (
    <section class="card" aria-labelledby="asking-title">
      <h2 id="asking-title">{words.asking}</h2>
      <div class="options">
        <NumberField
          label={words.asked}
          hint={words.askedHint}
          value={ask && (ask.perThousand ?? 50)}
          least={1}
          most={1000}
          onChange={(perThousand) => set({ ask: perThousand === undefined ? null : { ...ask, perThousand } })}
        />
        <NumberField
          label={words.late}
          hint={words.lateHint(pending)}
          value={change.late?.samples ?? configuration.late?.samples ?? pending}
          least={1}
          most={pending}
          whole
          onChange={(samples = pending) => set({ late: { ...change.late, samples } })}
        />
        <Field label={words.missing}>
          {(id) => (
            <select
              id={id}
              value={change.missing ?? configuration.missing}
              onChange={({ currentTarget }) => set({ missing: currentTarget.value as Configuration['missing'] })}
            >
              {Object.entries(words.missings).map(([rule, label]) => (
                <option key={rule} value={rule}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p class="muted small">{words.method(configuration.method)}</p>
    </section>
  )
}
