import type { GivenMapping, MappedMessage, MessageRule } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { request, systemPath } from '../api/client.ts'
import { TextField } from '../forms/field.tsx'
import { text } from '../strings/en.ts'
import { SnippetBox } from './snippet-box.tsx'

const words = text.connect.topics
/** Milliseconds without a key before a rule is tried. */
const PAUSE = 300

/** The plant's own MQTT topics: a rule, what it makes of an example, and the words for the server's configuration. */
export function OwnTopics({ system, channels }: { system: string; channels: readonly string[] }) {
  const topic = useSignal(`plant/${system}/{channel}`)
  const number = useSignal('/value')
  const time = useSignal('')
  const example = useSignal(`plant/${system}/${channels[0]}`)
  const message = useSignal('{ "value": 3.2 }')
  const rule = ruleOf(system, channels, topic.value, number.value, time.value)
  const found = useTrial(system, { rule, topic: example.value, message: message.value })
  const bridge = {
    kind: 'mqtt',
    url: 'mqtt://BROKER:1883',
    rules: [rule],
    join: { by: time.value ? 'time' : 'latest' },
  }
  const shown = JSON.stringify({ bridges: [bridge] }, null, 2)
  const fields = [
    [words.topic, words.topicHint, topic],
    [words.number, words.numberHint, number],
    [words.time, words.timeHint, time],
    [words.exampleTopic, undefined, example],
    [words.exampleMessage, undefined, message],
  ] as const
  return (
    <section aria-label={text.connect.ways.topics}>
      {fields.map(([label, hint, field]) => (
        <TextField
          key={label}
          {...{ label, hint, value: field.value }}
          onInput={(value) => {
            field.value = value
          }}
        />
      ))}
      <p role="status" class={found.wrong ? 'problem' : ''}>
        {found.words}
      </p>
      <SnippetBox label={words.configuration} shown={shown} hint={words.hint} />
    </section>
  )
}

/** With {channel} in the topic each message is of one channel, else each holds all of them, by their names. */
function ruleOf(system: string, channels: readonly string[], topic: string, number: string, time: string): MessageRule {
  const own = topic.includes('{channel}')
    ? { '{channel}': number }
    : Object.fromEntries(
        channels.map((name) => [name, `${number}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`]),
      )
  return { topic, system, values: own, ...(time !== '' && { time }) }
}

/** What the server makes of the example, asked for when nothing has been typed for a moment. */
function useTrial(system: string, given: GivenMapping): { words: string; wrong: boolean } {
  const found = useSignal({ words: '', wrong: false })
  const asked = JSON.stringify(given)
  useEffect(() => {
    let over = false
    const timer = setTimeout(async () => {
      const result = await request<MappedMessage>('POST', systemPath(system, '/mapping'), JSON.parse(asked)).then(
        inWords,
        (error: Error) => ({ words: error.message, wrong: true }),
      )
      if (!over) found.value = result
    }, PAUSE)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [system, asked])
  return found.value
}

function inWords({ matches, values = {}, unknown = [], at }: MappedMessage): { words: string; wrong: boolean } {
  if (!matches) return { words: words.noMatch, wrong: true }
  if (unknown.length > 0) return { words: words.unknown(unknown.join(', ')), wrong: true }
  const list = Object.entries(values).map(([name, value]) => `${name} = ${value ?? words.missing}`)
  return {
    words: words.becomes(list.join(', '), at === undefined ? undefined : new Date(at).toISOString()),
    wrong: false,
  }
}
