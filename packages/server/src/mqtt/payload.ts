import { hash } from 'node:crypto'
import { type GivenAnswer, readAnswer, readSensorSample, type SensorSample } from '@pb-oel/protocol'
import { InvalidRequest } from '../errors.ts'

/** Samples in one message, at most. */
const MOST = 1_000
/** Bytes of one message, at most. */
const MOST_BYTES = 8 << 20

/**
 * The samples of a message on `pb-oel/<system>/sample`: one, or a list of them, each in one of three forms:
 * our own `{ values, at?, id?, mode? }`; ThingsBoard's `{ ts, values: { name: number } }`; plain `{ name: number }`.
 *
 * QoS 1 may deliver a message twice: the key of a sample is its `id`, or with a timestamp its content. A sample with
 * neither cannot be recognised.
 */
export function parseSamples(payload: Buffer): SensorSample[] {
  return listOf(payload).map((entry) => {
    const { ts, id, ...rest } = entry
    if (rest.values === undefined) return readSensorSample({ values: entry })
    const at = rest.at ?? ts
    const sample = readSensorSample({ ...rest, ...(at !== undefined && { at }), ...keyed(id) })
    // Only now is the entry known to be flat: to write down one of many thousand levels overflows the stack.
    if (id !== undefined || at === undefined) return sample
    return { ...sample, key: `mqtt:${hash('sha256', JSON.stringify(entry))}` }
  })
}

/** The answers of a message on `pb-oel/<system>/feedback`: one as over HTTP, with `id` for `key`, or a list. */
export function parseFeedback(payload: Buffer): GivenAnswer[] {
  return listOf(payload).map(({ id, ...rest }) => readAnswer({ ...rest, ...keyed(id) }))
}

function listOf(payload: Buffer): Record<string, unknown>[] {
  const value = jsonOf(payload)
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MOST) throw new InvalidRequest(`message: expected at most ${MOST} entries, got ${list.length}`)
  const wrong = list.find((entry) => entry === null || typeof entry !== 'object' || Array.isArray(entry))
  if (wrong !== undefined || list.length === 0)
    throw new InvalidRequest('message: expected an object or a list of objects')
  return list
}

function jsonOf(payload: Buffer): unknown {
  const bytes = payload.length
  if (bytes === 0) throw new InvalidRequest('message: expected JSON, got nothing')
  if (bytes > MOST_BYTES) throw new InvalidRequest(`message: expected at most ${MOST_BYTES} bytes, got ${bytes}`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    throw new InvalidRequest('message: expected JSON in UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidRequest('message: expected JSON')
  }
}

/** The key of an id. Senders may count; anything but a number or a text is left for the protocol to refuse. */
function keyed(id: unknown): { key?: unknown } {
  if (id === undefined) return {}
  return { key: typeof id === 'string' || typeof id === 'number' ? `mqtt:${id}` : id }
}
