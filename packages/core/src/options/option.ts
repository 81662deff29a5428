import { OptionError } from '../errors.ts'

/** Which values an option takes, for forms and for the command line. */
export type OptionKind = 'number' | 'integer' | 'flag' | 'choice' | 'json'

/** Limits of a number. `above` excludes its value, `from` and `to` include theirs. */
export interface Limits {
  readonly above?: number
  readonly from?: number
  readonly to?: number
}

/** One line of an {@link OptionTable}: everything there is to say about an option. */
export interface Option<T = unknown> extends Limits {
  readonly kind: OptionKind
  /** One sentence that says what the option does. */
  readonly about: string
  /** The accepted values in words, such as `a number in (0, 10]`. */
  readonly allowed: string
  /** Values that are words, or `false`. */
  readonly words?: readonly (string | boolean | number)[]
  /** The value where none is given. */
  readonly default?: T
  /** The value where none is given, in words: for a default that depends on other options. */
  readonly otherwise?: string
  /** Whether a value must be given. */
  readonly required?: boolean
  /** An earlier name that is still accepted. */
  readonly formerly?: string
  /** Returns the value, or throws an {@link OptionError} that shows `name`. */
  check(name: string, value: unknown): T
}

/**
 * What every kind of option is made from: `R` is true where a value is required, `D` the default where there is one.
 */
interface Spec<R, D> {
  readonly about: string
  readonly default?: D
  readonly otherwise?: string
  readonly required?: R
  readonly formerly?: string
}

/** What an option of numbers is made from. `words` are accepted beside numbers. */
interface NumberSpec<W, R, D> extends Spec<R, D>, Limits {
  readonly words?: readonly W[]
}

type Word = string | boolean

/** An option of values `T`, and whether it is required or has a default. */
type Stated<T, R, D> = Option<T> &
  ([R] extends [never] ? unknown : { readonly required: true }) &
  ([D] extends [never] ? unknown : { readonly default: T })

/** A number within limits, or one of some words. */
function number<const W extends Word = never, R extends true = never, const D extends number | W = never>(
  spec: NumberSpec<W, R, D>,
): Stated<number | W, R, D> {
  return numeric(spec, 'number', 'a number')
}

/** An integer within limits, or one of some words. */
function integer<const W extends Word = never, R extends true = never, const D extends number | W = never>(
  spec: NumberSpec<W, R, D>,
): Stated<number | W, R, D> {
  return numeric(spec, 'integer', 'an integer')
}

/** `true` or `false`. */
function flag<R extends true = never, const D extends boolean = never>(spec: Spec<R, D>): Stated<boolean, R, D> {
  return make(spec, 'flag', 'true or false', (value): value is boolean => typeof value === 'boolean')
}

/** One of some words or numbers. */
function choice<const W extends string | number, R extends true = never, const D extends W = never>(
  words: readonly W[],
  spec: Spec<R, D>,
): Stated<W, R, D> {
  const known = (value: unknown): value is W => words.includes(value as W)
  const listed: Spec<R, D> & { words: readonly W[] } = { ...spec, words }
  return make(listed, 'choice', `one of ${words.join(', ')}`, known)
}

/**
 * Any other JSON value.
 *
 * @param allowed what it must be, in words
 * @param check says whether it is; what depends on other options is checked by the owner of the table
 */
function json<T, R extends true = never, D extends T = never>(
  allowed: string,
  check: (value: unknown) => value is T,
  spec: Spec<R, D>,
): Stated<T, R, D> {
  return make(spec, 'json', allowed, check)
}

/** For `option.json`: any list, whose entries the owner of the table checks. */
export function isList<T>(value: unknown): value is readonly T[] {
  return Array.isArray(value)
}

/** Makes the lines of an option table, one function for each kind of option. */
export const option = { number, integer, flag, choice, json } as const

function numeric<W extends Word, R, D>(
  spec: NumberSpec<W, R, D>,
  kind: 'number' | 'integer',
  noun: string,
): Stated<number | W, R, D> {
  const { above = -Infinity, from = -Infinity, to = Number.MAX_VALUE, words = [] } = spec
  const allowed = [...words.map(String), `${noun}${rangeInWords(spec)}`].join(', or ')
  return make(spec, kind, allowed, (value): value is number | W => {
    if (words.includes(value as W)) return true
    if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) return false
    return value > above && value >= from && value <= to
  })
}

function make<T, R, D>(
  spec: Spec<R, D>,
  kind: OptionKind,
  allowed: string,
  accepts: (value: unknown) => value is T,
): Stated<T, R, D> {
  const check = (name: string, value: unknown): T => {
    if (accepts(value)) return value
    throw new OptionError(name, value, allowed)
  }
  return { ...spec, kind, allowed, check } as unknown as Stated<T, R, D>
}

function rangeInWords({ above, from, to }: Limits): string {
  const low = above ?? from
  if (to !== undefined) return ` in ${above === undefined ? '[' : '('}${shown(low ?? -Infinity)}, ${shown(to)}]`
  if (low === undefined) return ''
  return above === undefined ? ` of at least ${shown(low)}` : ` above ${shown(low)}`
}

/** Large limits are powers of two and read better as such. */
function shown(value: number): string {
  if (value === Number.MAX_SAFE_INTEGER) return '2^53 − 1'
  if (value < 2 ** 20) return String(value)
  let exponent = 0
  let rest = value
  for (; rest >= 2; rest /= 2) exponent++
  return rest === 1 ? `2^${exponent}` : String(value)
}
