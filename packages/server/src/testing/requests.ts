/** A JSON answer with its status. */
export interface Answer {
  status: number
  type: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any
}

/** Sends JSON, or with a string exactly that text, and reads the answer. */
export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    type,
    body: type?.includes('json') && !type.includes('ndjson') ? JSON.parse(text) : text,
  }
}
