import { dirname, isAbsolute, join } from 'node:path'
import { METHODS, OptionError, UnknownOptionError } from '@pb-oel/core'
import type { People } from '../job/people.ts'
import { isModule, mapTexts } from '../modules/module-name.ts'
import { STREAM_FILE, splitAddress } from '../streams/stream-address.ts'
import type { Experiment, ExperimentSet, ExperimentStream, MethodChoice, Section } from './experiment.ts'

const EXPERIMENT = ['title', 'streams', 'methods', 'options', 'rho', 'repeats', 'seed', 'people', 'show']
const STREAM = [
  ...['address', 'name', 'samples', 'label', 'missing'],
  ...['drop', 'channels', 'time', 'sort', 'levels', 'units'],
]
const METHOD = ['method', 'options', 'label']
const PEOPLE = ['answers', 'ask', 'costs', 'escalateAbove']
const SECTIONS: readonly Section[] = ['suite', 'table', 'curves', 'landscape', 'bounds']

/**
 * Checks an experiment or a set that came from outside and resolves paths of files and modules against the folder of
 * `source`.
 *
 * @param source path of the file it came from
 */
export function checkExperiments(value: unknown, source: string): ExperimentSet {
  const record = object('experiment', value)
  const folder = dirname(source)
  if (!('parts' in record)) {
    const part = experiment(record, folder, '')
    return { title: part.title ?? source, parts: [part] }
  }
  known(record, ['title', 'parts'], '')
  const parts = list('parts', record.parts).map((part, i) =>
    experiment(object(`parts[${i}]`, part), folder, `parts[${i}].`),
  )
  return { title: record.title === undefined ? source : text('title', record.title), parts }
}

function experiment(value: Record<string, unknown>, folder: string, at: string): Experiment {
  known(value, EXPERIMENT, at)
  const { title, options, repeats, seed, people, show } = value
  // The fields of each are checked where they are used, before the first sample.
  if (people !== undefined) known(object(`${at}people`, people), PEOPLE, `${at}people.`)
  return {
    ...(title !== undefined && { title: text(`${at}title`, title) }),
    streams: list(`${at}streams`, value.streams).map((entry, i) => stream(entry, folder, `${at}streams[${i}]`)),
    methods: list(`${at}methods`, value.methods).map((entry, i) => method(entry, folder, `${at}methods[${i}]`)),
    ...(options !== undefined && { options: grid(optionsFrom(folder, options, `${at}options`), `${at}options.`) }),
    rho: list(`${at}rho`, value.rho).map((rho, i) => share(`${at}rho[${i}]`, rho)),
    ...(repeats !== undefined && { repeats: whole(`${at}repeats`, repeats, 1) }),
    ...(seed !== undefined && { seed: whole(`${at}seed`, seed, 0) }),
    ...(people !== undefined && { people: people as People }),
    ...(show !== undefined && { show: list(`${at}show`, show).map((entry, i) => section(`${at}show[${i}]`, entry)) }),
  }
}

function stream(value: unknown, folder: string, at: string): ExperimentStream {
  const choice = typeof value === 'string' ? { address: value } : object(at, value)
  known(choice, STREAM, `${at}.`)
  const address = text(`${at}.address`, choice.address)
  return {
    ...choice,
    address: address
      .split('+')
      .map((part) => streamFrom(folder, part))
      .join('+'),
  }
}

/** The address of one stream with the path of its file or module as it is seen from `folder`. */
function streamFrom(folder: string, address: string): string {
  const { name, settings } = splitAddress(address)
  if (isModule(name)) return [moduleFrom(folder, name), ...(settings === '' ? [] : [settings])].join(':')
  return STREAM_FILE.test(address) ? from(folder, address) : address
}

function method(value: unknown, folder: string, at: string): MethodChoice {
  const choice = typeof value === 'string' ? { method: value } : object(at, value)
  known(choice, METHOD, `${at}.`)
  const name = text(`${at}.method`, choice.method)
  const options = choice.options === undefined ? {} : { options: optionsFrom(folder, choice.options, `${at}.options`) }
  if (isModule(name)) return { ...choice, ...options, method: moduleFrom(folder, name) }
  if (METHODS.some((method) => method.name === name)) return { ...choice, ...options, method: name }
  throw new OptionError(
    `${at}.method`,
    name,
    `a path of a module or one of ${METHODS.map((method) => method.name).join(', ')}`,
  )
}

/** Options with the paths of modules as they are seen from `folder`. */
function optionsFrom(folder: string, value: unknown, at: string): Record<string, unknown> {
  return mapTexts(object(at, value), (text) => moduleFrom(folder, text)) as Record<string, unknown>
}

/** The path of a module as it is seen from `folder`; any other text as it is. */
function moduleFrom(folder: string, name: string): string {
  return isModule(name) && !name.startsWith('@') ? from(folder, name) : name
}

/** A path as it is seen from `folder`. */
function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path)
}

function grid(value: Record<string, unknown>, at: string): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(value).map(([name, values]) => [name, list(`${at}${name}`, values)]))
}

function known(value: object, names: readonly string[], at: string): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UnknownOptionError(`${at}${unknown}`, undefined, undefined, names)
}

function object(option: string, value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new OptionError(option, value, 'an object')
  return value as Record<string, unknown>
}

function list(option: string, value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new OptionError(option, value, 'a list with at least one entry')
  return value
}

function text(option: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new OptionError(option, value, 'text')
  return value
}

function share(option: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw new OptionError(option, value, 'a number in [0, 1]')
  return value
}

function whole(option: string, value: unknown, low: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < low)
    throw new OptionError(option, value, `a whole number of at least ${low}`)
  return value as number
}

function section(option: string, value: unknown): Section {
  if (!SECTIONS.includes(value as Section)) throw new OptionError(option, value, `one of ${SECTIONS.join(', ')}`)
  return value as Section
}
