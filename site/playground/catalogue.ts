import { METHODS } from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/lab/generators'
import type { Catalogue } from './src/settings/catalogue.ts'

/** The methods and generators that the page offers, as plain data. */
export function catalogue(): Catalogue {
  return {
    methods: METHODS.map(({ name, summary, levels }) => ({
      name,
      title: name,
      role: 'method',
      summary,
      levels,
      options: [],
    })),
    generators: GENERATORS.map(({ name, summary, settings }) => ({
      name,
      summary,
      options: settings.map((name) => ({ name, kind: 'number' as const, about: '', allowed: 'a number' })),
    })),
  }
}
