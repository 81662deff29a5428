import { DEFAULTS, DELAY_LAWS, type FileColumns, type MethodChoice, type Reviewer, type Settings } from './settings.ts'

/**
 * The settings as the fragment of an address: readable, and only what differs from the defaults. Options of a method
 * stand behind its name as `method.c=0.5`, those of the second one as `against.c=0.5`.
 */
export function toAddress(settings: Settings): string {
  const words = new URLSearchParams()
  const { file, methods, reviewer, seed, stream } = settings
  if (file) {
    words.set('file', file.name)
    words.set('level', file.level)
    for (const name of file.dropped) words.append('drop', name)
    if (file.missing !== 'last') words.set('missing', file.missing)
  } else words.set('stream', stream)
  for (const [i, role] of ROLES.entries()) {
    const method = methods[i]
    if (!method) continue
    words.set(role, method.name)
    for (const [name, value] of Object.entries(method.options)) words.set(`${role}.${name}`, JSON.stringify(value))
  }
  if (seed !== DEFAULTS.seed) words.set('seed', String(seed))
  for (const [word, name] of REVIEWER) {
    if (reviewer[name] !== DEFAULTS.reviewer[name]) words.set(word, String(reviewer[name]))
  }
  return words.toString()
}

/** Reads an address; anything unknown or out of range keeps its default, so that an old link still opens. */
export function fromAddress(fragment: string): Settings {
  const words = new URLSearchParams(fragment.replace(/^#/, ''))
  const methods = ROLES.flatMap((role) => methodOf(words, role))
  return {
    stream: words.get('stream') ?? DEFAULTS.stream,
    ...(words.has('file') && { file: fileOf(words) }),
    methods: methods.length > 0 ? methods : DEFAULTS.methods,
    seed: whole(words.get('seed'), DEFAULTS.seed, 0, 2 ** 52),
    reviewer: reviewerOf(words),
  }
}

const ROLES = ['method', 'against'] as const

/** Words of the address and the fields they stand for. */
const REVIEWER: readonly (readonly [string, keyof Reviewer])[] = [
  ['by', 'by'],
  ['rho', 'rho'],
  ['delay', 'delay'],
  ['law', 'law'],
  ['absent', 'missing'],
  ['wrong', 'wrong'],
  ['every', 'every'],
  ['others', 'others'],
]

function methodOf(words: URLSearchParams, role: string): MethodChoice[] {
  const name = words.get(role)
  if (name === null) return []
  const options: Record<string, unknown> = {}
  for (const [word, text] of words) {
    if (word.startsWith(`${role}.`)) options[word.slice(role.length + 1)] = parsed(text)
  }
  return [{ name, options }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fileOf(words: URLSearchParams): FileColumns {
  const missing = words.get('missing')
  return {
    name: words.get('file') ?? '',
    level: words.get('level') ?? '',
    dropped: words.getAll('drop'),
    missing: missing === 'mean' || missing === 'error' ? missing : 'last',
  }
}

function reviewerOf(words: URLSearchParams): Reviewer {
  const { reviewer } = DEFAULTS
  return {
    by: words.get('by') === 'me' ? 'me' : 'simulated',
    rho: number(words.get('rho'), reviewer.rho, 0, 1),
    delay: whole(words.get('delay'), reviewer.delay, 0, 1000),
    law: DELAY_LAWS.find((law) => law === words.get('law')) ?? reviewer.law,
    missing: number(words.get('absent'), reviewer.missing, 0, 1),
    wrong: number(words.get('wrong'), reviewer.wrong, 0, 1),
    every: whole(words.get('every'), reviewer.every, 1, 10_000),
    others: words.get('others') !== 'false',
  }
}

function number(text: string | null, otherwise: number, low: number, high: number): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= low && value <= high ? value : otherwise
}

const whole = (text: string | null, otherwise: number, low: number, high: number): number =>
  Math.round(number(text, otherwise, low, high))
