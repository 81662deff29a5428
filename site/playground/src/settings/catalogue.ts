import data from 'virtual:catalogue'

/** An option as the tables of core describe it. */
export interface OptionField {
  name: string
  kind: 'number' | 'integer' | 'flag' | 'choice' | 'json'
  about: string
  /** The accepted values in words. */
  allowed: string
  words?: readonly (string | boolean | number)[]
  default?: unknown
  /** The default in words, where it depends on other options. */
  otherwise?: string
  above?: number
  from?: number
  to?: number
}

/** A method of the register. */
export interface MethodEntry {
  name: string
  title: string
  role: 'method' | 'rival' | 'baseline'
  summary: string
  /** The only number of levels it is for, where there is one. */
  levels?: number
  options: readonly OptionField[]
}

/** A generator of streams. */
export interface GeneratorEntry {
  name: string
  summary: string
  options: readonly OptionField[]
}

/** What the page offers. */
export interface Catalogue {
  methods: readonly MethodEntry[]
  generators: readonly GeneratorEntry[]
}

export const CATALOGUE: Catalogue = data

/** The entry of a method. A name the register does not know gets an empty one; the worker says that it is unknown. */
export function methodEntry(name: string): MethodEntry {
  const unknown = { name, title: name, role: 'method' as const, summary: 'not known here', options: [] }
  return CATALOGUE.methods.find((method) => method.name === name) ?? unknown
}
