import { hash } from 'node:crypto'
import { type MessageRule, readMoment } from '@pb-oel/protocol'
import { InvalidRequest } from '../../errors.ts'
import type { Reading } from '../joining/reading.ts'
import { follow, pointerParts } from './json-pointer.ts'
import { Template } from './template.ts'
import { type Captures, TopicPattern } from './topic-pattern.ts'

/** Bytes of one message, at most. */
const MOST_BYTES = 8 << 20
/** The latest moment that a date can hold. */
const LATEST = 8_640_000_000_000_000
/** Milliseconds of the units of time. */
const UNITS = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 }

/** A reading and whose it is. */
export interface Addressed {
  system: string
  reading: Reading
}

/** Rules that say what of a message goes where, ready to be used. */
export class MessageRules {
  private readonly rules: readonly CompiledRule[]

  /** @param names what templates may name besides the levels of a topic */
  constructor(rules: readonly MessageRule[], names: readonly string[] = []) {
    this.rules = rules.map((rule) => new CompiledRule(rule, names))
  }

  /** What to subscribe to. */
  get filters(): string[] {
    return [...new Set(this.rules.map(({ pattern }) => pattern.filter))]
  }

  /** The readings of a message, one for each rule that its topic fits. */
  read(topic: string, payload: Buffer, also: Captures = {}): Addressed[] {
    let message: { value: unknown } | undefined
    return this.rules.flatMap((rule) => {
      const captures = rule.pattern.match(topic)
      if (!captures) return []
      message ??= { value: contentOf(payload) }
      return [rule.read(message.value, { ...also, ...captures })]
    })
  }
}

class CompiledRule {
  readonly pattern: TopicPattern
  private readonly system: Template
  private readonly values: readonly { channel: Template; parts: string[]; pointer: string }[]
  private readonly rule: MessageRule

  constructor(rule: MessageRule, names: readonly string[]) {
    this.rule = rule
    this.pattern = new TopicPattern(rule.topic)
    const known = [...names, ...this.pattern.names]
    this.system = new Template(rule.system, known)
    this.values = Object.entries(rule.values).map(([channel, pointer]) => {
      return { channel: new Template(channel, known), parts: pointerParts(pointer), pointer }
    })
  }

  read(message: unknown, captures: Captures): Addressed {
    const { time, timeUnit = 'ms', tick, id } = this.rule
    const system = this.system.fill(captures, message)
    const values: Record<string, number | null> = {}
    for (const { channel, parts, pointer } of this.values) {
      values[channel.fill(captures, message)] = numberOf(follow(message, parts), pointer)
    }
    const reading: Reading = { values }
    if (time !== undefined) reading.at = momentOf(follow(message, pointerParts(time)), time, UNITS[timeUnit])
    if (tick !== undefined) reading.tick = wordOf(follow(message, pointerParts(tick)), tick)
    if (id !== undefined) reading.key = `id:${digest(wordOf(follow(message, pointerParts(id)), id))}`
    else if (reading.at !== undefined) reading.key = `at:${digest([reading.at, reading.tick, values])}`
    return { system, reading }
  }
}

/** A short text that stands for a value. */
function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 40)
}

/** JSON, or plain text. */
function contentOf(payload: Buffer): unknown {
  if (payload.length > MOST_BYTES)
    throw new InvalidRequest(`message: expected at most ${MOST_BYTES} bytes, got ${payload.length}`)
  const text = payload.toString().trim()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/
const SWITCHES: Readonly<Record<string, number>> = { true: 1, on: 1, false: 0, off: 0 }

function numberOf(value: unknown, pointer: string): number | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  const number = word === undefined ? value : PLAIN.test(word) ? Number(word) : SWITCHES[word]
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new InvalidRequest(`message${pointer}: expected a number, got ${shown(value)}`)
}

function momentOf(value: unknown, pointer: string, unit: number): number {
  if (typeof value === 'string' && ZONED.test(value)) return readMoment(value, `message${pointer}`)
  const moment = typeof value === 'object' ? Number.NaN : Math.round(Number(value) * unit)
  if (moment >= 0 && moment <= LATEST) return moment
  throw new InvalidRequest(
    `message${pointer}: expected a moment: a number, or ISO 8601 with its zone; got ${shown(value)}`,
  )
}

function wordOf(value: unknown, pointer: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new InvalidRequest(`message${pointer}: expected a number or a text, got ${shown(value)}`)
}

/** The kind of a value, or the value where it is short: a value of many thousand levels cannot be written down. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return Array.isArray(value) ? 'a list' : 'an object'
}
