import type { ServerResponse } from 'node:http'

/** Aborted when the caller goes away. */
export function whileAsked(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}
