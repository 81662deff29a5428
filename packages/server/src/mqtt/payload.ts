import { hash } from 'node:crypto'
import { type GivenAnswer, type GivenSample, readAnswer, readSample } from '@pb-oel/protocol'
import { InvalidRequest } from '../errors.ts'

/** Samples in one message, at most. */
const MOST = 1_000

/**
 * The samples of a message on `pb-oel/<system>/sample`: one, or a list of them, each in one of three forms:
 * our own `{ values, at?, id?, mode? }`; ThingsBoard's `{ ts, values: { name: number } }`; plain `{ name: number }`.
 *
 * QoS 1 may deliver a message twice: the key of a sample is its `id`, or with a timestamp its content. A sample with
 * neither cannot be recognised.
 */
export function parseSamples(payload: Buffer): GivenSample[] {
  return listOf(payload).map((entry) => {
    const { ts, id, ...rest } = entry
    if (rest.values === undefined) return readSample({ values: entry })
    const at = rest.at ?? ts
    const known = id ?? (at === undefined ? undefined : hash('sha256', JSON.stringify(entry)))
    return readSample({ ...rest, ...(at !== undefined && { at }), ...keyed(known) })
  })
}

/** The answers of a message on `pb-oel/<system>/feedback`: one as over HTTP, with `id` for `key`, or a list. */
export function parseFeedback(payload: Buffer): GivenAnswer[] {
  return listOf(payload).map(({ id, ...rest }) => readAnswer({ ...rest, ...keyed(id) }))
}

function listOf(payload: Buffer): Record<string, unknown>[] {
  let value: unknown
  try {
    value = JSON.parse(payload.toString())
  } catch {
    throw new InvalidRequest('message: expected JSON')
  }
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MOST) throw new InvalidRequest(`message: expected at most ${MOST} entries, got ${list.length}`)
  const wrong = list.find((entry) => entry === null || typeof entry !== 'object' || Array.isArray(entry))
  if (wrong !== undefined || list.length === 0)
    throw new InvalidRequest('message: expected an object or a list of objects')
  return list
}

/** The key of an id. Senders may count; anything but a number or a text is left for the protocol to refuse. */
function keyed(id: unknown): { key?: unknown } {
  if (id === undefined) return {}
  return { key: typeof id === 'string' || typeof id === 'number' ? `mqtt:${id}` : id }
}
