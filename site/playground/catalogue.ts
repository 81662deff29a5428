import { describeOptions, METHODS } from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/core/streams'
import type { Catalogue } from './src/settings/catalogue.ts'

/** The methods and generators that the page offers, as plain data. */
export function catalogue(): Catalogue {
  return {
    methods: METHODS.map((method) => {
      const { name, title, role, summary, levels } = method
      return { name, title, role, summary, levels, options: describeOptions(method) }
    }),
    generators: GENERATORS.map((entry) => {
      const { name, summary } = entry
      return { name, summary, options: describeOptions(entry) }
    }),
  }
}
