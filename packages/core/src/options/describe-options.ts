import type { Limits, OptionKind } from './option.ts'
import type { OptionTable } from './option-table.ts'

/** An option as data: what the command line, the docs and the forms of the page show. */
export interface OptionDescription extends Limits {
  readonly name: string
  readonly kind: OptionKind
  readonly about: string
  /** The accepted values in words. */
  readonly allowed: string
  /** Words that are accepted, for a choice all of them. */
  readonly words?: readonly (string | boolean | number)[]
  /** The default as JSON. */
  readonly default?: unknown
  /** The default in words, where it depends on other options. */
  readonly otherwise?: string
  readonly required?: boolean
  /** An earlier name that is still accepted. */
  readonly formerly?: string
}

/**
 * Describes the options of a method, detector, learner or stream, in the order of their table.
 *
 * @example
 * import { describeOptions, findMethod } from '@pb-oel/core'
 * describeOptions(findMethod('pb-oel')).find(({ name }) => name === 'alpha')?.default // 0.8
 */
export function describeOptions(entry: { readonly options: OptionTable }): OptionDescription[] {
  return Object.entries(entry.options).map(([name, option]) => {
    const { check: _, ...data } = option
    return { name, ...data }
  })
}
