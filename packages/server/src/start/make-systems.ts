import { Conflict } from '../errors.ts'
import type { Parts } from './parts.ts'

/** Makes the systems of the configuration that do not exist yet, among those that are wanted. */
export async function makeSystems({ options, service }: Parts, wanted: (id: string) => boolean): Promise<void> {
  for (const { id, ...given } of options.systems ?? []) {
    if (!wanted(id) || service.knows(id)) continue
    await service.create(id, given, 'configuration').catch((error) => {
      if (!(error instanceof Conflict)) throw error
    })
  }
}
