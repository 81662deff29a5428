import { hash } from 'node:crypto'
import { InvalidRequest } from '../errors.ts'
import type { GivenFeedback, GivenSample } from '../service/service.ts'

/** Samples in one message, at most. */
const MOST = 1_000

/**
 * The samples of a message on `pb-oel/<system>/sample`: one, or a list of them, each in one of three forms:
 * our own `{ values, at?, id?, mode? }`; ThingsBoard's `{ ts, values: { name: number } }`; plain `{ name: number }`.
 *
 * QoS 1 may deliver a message twice: the key of a sample is its `id`, or with a timestamp its content. A sample with
 * neither can not be recognised.
 */
export function parseSamples(payload: Buffer): GivenSample[] {
  const list = listOf(payload)
  return list.map((entry) => {
    const { values, ts, at = ts, id, mode, ...rest } = entry
    if (values === undefined) return { values: numbers(entry) }
    const extra = Object.keys(rest)[0]
    if (extra !== undefined)
      throw new InvalidRequest(`message: ${JSON.stringify(extra.slice(0, 60))} is not known beside values`)
    if (at !== undefined && !(Number.isSafeInteger(at) && (at as number) >= 0)) {
      throw new InvalidRequest('message: the time is not milliseconds since 1970')
    }
    if (mode !== undefined && mode !== 'full' && mode !== 'partial' && mode !== 'unknown') {
      throw new InvalidRequest('message: mode is not full, partial or unknown')
    }
    const key =
      id !== undefined
        ? `mqtt:${identifier(id)}`
        : at !== undefined
          ? `mqtt:${hash('sha256', JSON.stringify(entry))}`
          : undefined
    return {
      values: numbers(values),
      ...(at !== undefined && { at: at as number }),
      ...(mode !== undefined && { mode }),
      ...(key !== undefined && { key }),
    }
  })
}

/** The answers of a message on `pb-oel/<system>/feedback`: `{ assessment, answer, level?, correction?, id?, by? }`, or a list. */
export function parseFeedback(payload: Buffer): (GivenFeedback & { by?: string })[] {
  return listOf(payload).map((entry) => {
    const { assessment, answer, level, correction, id, at, by, ...rest } = entry
    const extra = Object.keys(rest)[0]
    if (extra !== undefined) throw new InvalidRequest(`message: ${JSON.stringify(extra.slice(0, 60))} is not known`)
    if (!Number.isSafeInteger(assessment)) throw new InvalidRequest('message: assessment is not a whole number')
    if (answer !== 'confirm' && answer !== 'reject' && answer !== 'label') {
      throw new InvalidRequest('message: answer is not confirm, reject or label')
    }
    if ((answer === 'label') !== Number.isSafeInteger(level))
      throw new InvalidRequest('message: level belongs to the answer label')
    if (correction !== undefined && typeof correction !== 'boolean')
      throw new InvalidRequest('message: correction is not true or false')
    if (at !== undefined && !Number.isSafeInteger(at))
      throw new InvalidRequest('message: at is not milliseconds since 1970')
    if (by !== undefined && (typeof by !== 'string' || by.length > 100))
      throw new InvalidRequest('message: by is not a short text')
    return {
      assessment: assessment as number,
      answer,
      ...(answer === 'label' && { level: level as number }),
      ...(correction !== undefined && { correction }),
      ...(at !== undefined && { at: at as number }),
      ...(id !== undefined && { key: `mqtt:${identifier(id)}` }),
      ...(by !== undefined && { by: by as string }),
    }
  })
}

function listOf(payload: Buffer): Record<string, unknown>[] {
  let value: unknown
  try {
    value = JSON.parse(payload.toString())
  } catch {
    throw new InvalidRequest('message: not JSON')
  }
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MOST) throw new InvalidRequest(`message: more than ${MOST} entries`)
  const wrong = list.find((entry) => entry === null || typeof entry !== 'object' || Array.isArray(entry))
  if (wrong !== undefined || list.length === 0) throw new InvalidRequest('message: not an object or a list of objects')
  return list
}

function numbers(values: unknown): GivenSample['values'] {
  if (values === null || typeof values !== 'object')
    throw new InvalidRequest('message: values is no list and no object')
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && typeof value !== 'number') {
      throw new InvalidRequest(`message: the value of ${JSON.stringify(name.slice(0, 60))} is not a number`)
    }
  }
  return values as GivenSample['values']
}

function identifier(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text !== 'string' || !/^[\x21-\x7e]{1,90}$/.test(text)) {
    throw new InvalidRequest('message: id is not a number or a short text without spaces')
  }
  return text
}
