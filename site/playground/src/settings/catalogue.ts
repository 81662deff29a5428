import data from 'virtual:catalogue'
import type { OptionDescription } from '@pb-oel/core'

/** A method of the register. */
export interface MethodEntry {
  name: string
  title: string
  role: 'method' | 'rival' | 'baseline'
  summary: string
  /** The only number of levels it is for, where there is one. */
  levels?: number
  options: readonly OptionDescription[]
}

/** A generator of streams. */
interface GeneratorEntry {
  name: string
  summary: string
  options: readonly OptionDescription[]
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
