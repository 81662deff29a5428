import { asyncApi } from '@pb-oel/protocol'
import type { Page } from '../page.ts'
import { type Schema, schemaText } from './schema-text.ts'

interface Channel {
  address: string | null
  description?: string
  messages: Record<string, { payload: Schema }>
}

interface Document {
  channels: Record<string, Channel>
  operations: Record<string, { action: 'send' | 'receive'; summary: string; channel: { $ref: string } }>
}

/** The page of server-sent events, MQTT messages and webhooks, from the document that `/asyncapi.json` shows. */
export function eventsPage(): Page {
  const { channels, operations } = asyncApi() as Document
  const parts = Object.values(operations).map(({ action, summary, channel: { $ref } }) => {
    const channel = channels[$ref.split('/').at(-1) as string]
    const messages = Object.entries(channel.messages).map(
      ([name, { payload }]) => `### ${titleOf(channel)}, ${name}\n\n\`\`\`ts\n${schemaText(payload)}\n\`\`\``,
    )
    const who = action === 'send' ? 'The server sends it.' : 'The server takes it.'
    return [`## ${titleOf(channel)}`, `${summary}. ${who}`, ...messages].join('\n\n')
  })
  const markdown = [
    '# Events and messages',
    'Everything that is not a request, from the server’s own `/asyncapi.json`. Bodies are shown as TypeScript types.',
    ...parts,
  ].join('\n\n')
  const source = 'docs/reference/events.md'
  return {
    path: 'reference/events.html',
    source,
    markdown,
    title: 'Events and messages',
    section: 'Reference',
    search: 'sections',
  }
}

/** A channel by its address, or by what it is where the address is the reader's. */
function titleOf({ address }: Channel): string {
  return address === null ? 'Webhook' : address.replaceAll(/[{}]/g, (mark) => (mark === '{' ? ':' : ''))
}
