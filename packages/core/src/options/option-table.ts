import { OptionError, UnknownOptionError } from '../errors.ts'
import { nearestName } from './nearest-name.ts'
import type { Option } from './option.ts'

/**
 * The options of a class, each declared once. From the table come the type of the options ({@link OptionsOf}), the
 * checks and defaults ({@link readOptions}), and the descriptions for command line, docs and forms
 * ({@link describeOptions}). Tables compose by spreading. docs/options.md shows every table of the product.
 *
 * @example
 * import { option, readOptions } from '@pb-oel/core'
 * const TABLE = { patience: option.integer({ from: 1, to: 9, default: 2, about: 'Misses before it moves.' }) }
 * readOptions(TABLE, {}).patience // 2
 */
// biome-ignore lint/suspicious/noExplicitAny: a table holds options of every type
export type OptionTable = Readonly<Record<string, Option<any>>>

type ValueOf<O> = O extends Option<infer T> ? T : never
type Required = { readonly required: true }

/** Options as they come from outside, such as from JSON; {@link readOptions} checks them. */
// biome-ignore lint/suspicious/noExplicitAny: what is not checked yet can be anything
export type GivenOptions = any

/** What a caller may give: the options of a table, those that are required and those that are not. */
export type OptionsOf<T extends OptionTable> = {
  -readonly [K in keyof T as T[K] extends Required ? K : never]: ValueOf<T[K]>
} & {
  -readonly [K in keyof T as T[K] extends Required ? never : K]?: ValueOf<T[K]>
}

/** What a class works with: every option checked, defaults filled in. */
export type SettingsOf<T extends OptionTable> = {
  -readonly [K in keyof T]: T[K] extends Required | { readonly default: unknown }
    ? ValueOf<T[K]>
    : ValueOf<T[K]> | undefined
}

/**
 * Checks options against their table and fills in the defaults. An option that is `undefined` or `null` counts as not
 * given. A misspelt one is refused, since ignoring it would hide the mistake.
 *
 * @param given what the caller gave; not changed
 * @param path stands before the names in messages, such as `delay.`
 */
export function readOptions<T extends OptionTable>(table: T, given: unknown, path = ''): SettingsOf<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new OptionError(path === '' ? 'options' : path.replace(/\.$/, ''), given, 'an object of options')
  }
  const values = given as Record<string, unknown>
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(table, name) && currentName(table, name) === undefined) refuse(table, name, values[name], path)
  }
  const settings: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(table)) {
    const value = givenValue(values, name, option, path)
    const written = (values[name] ?? undefined) === undefined ? (option.formerly ?? name) : name
    if (value !== undefined) settings[name] = option.check(`${path}${written}`, value)
    else if (option.required) throw new OptionError(`${path}${name}`, undefined, option.allowed)
    else settings[name] = option.default
  }
  return settings as SettingsOf<T>
}

/** The given value of an option, under its name or its former name. */
function givenValue(values: Record<string, unknown>, name: string, { formerly }: Option, path: string): unknown {
  const value = values[name] ?? undefined
  const former = formerly === undefined ? undefined : (values[formerly] ?? undefined)
  if (value !== undefined && former !== undefined) {
    throw new OptionError(`${path}${formerly}`, former, `left out where ${name} is given, whose former name it is`)
  }
  return value ?? former
}

/** The present name of an option that was renamed. */
function currentName(table: OptionTable, former: string): string | undefined {
  return Object.keys(table).find((name) => table[name].formerly === former)
}

function refuse(table: OptionTable, name: string, value: unknown, path: string): never {
  const names = Object.keys(table)
  throw new UnknownOptionError(`${path}${name}`, value, nearestName(name, names), names)
}
