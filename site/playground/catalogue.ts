import { describeOptions, METHODS, type OptionDescription } from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/core/streams'
import type { Catalogue } from './src/settings/catalogue.ts'

/** The methods and generators that the page offers, as plain data. */
export function catalogue(): Catalogue {
  return {
    methods: METHODS.map((method) => {
      const { name, title, role, summary, levels } = method
      return { name, title, role, summary, levels, options: ownFirst(describeOptions(method)) }
    }),
    generators: GENERATORS.map((entry) => {
      const { name, summary } = entry
      return { name, summary, options: describeOptions(entry) }
    }),
  }
}

/** Options that only this method has come first: they are what people change. */
function ownFirst(options: readonly OptionDescription[]): OptionDescription[] {
  const isShared = ({ name }: OptionDescription) =>
    METHODS.filter(({ options, variantOf }) => !variantOf && name in options).length > 1
  return options.toSorted((a, b) => Number(isShared(a)) - Number(isShared(b)))
}
