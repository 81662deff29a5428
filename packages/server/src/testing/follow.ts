/** A server-sent event as it arrived. */
export interface FollowedEvent {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: the data of any event
  data: any
}

/**
 * The events of a stream as they arrive, until whoever reads them stops.
 *
 * @param onOpen called when the server has begun to answer
 */
export async function* followEvents(
  url: string,
  headers: Record<string, string> = {},
  onOpen: () => void = () => {},
): AsyncGenerator<FollowedEvent> {
  const abort = new AbortController()
  try {
    const response = await fetch(url, { headers, signal: abort.signal })
    if (response.headers.get('content-type') !== 'text/event-stream') throw new Error(await response.text())
    onOpen()
    let text = ''
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
        text = text.slice(end + 2)
        if (fields.data) yield { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) }
      }
    }
  } finally {
    abort.abort()
  }
}
