import type { Configuration } from '@pb-oel/protocol'
import { defineView } from './view.ts'

/** What a clone begins with: the configuration, and the whole state where that is wanted. */
export const cloneOf = defineView(
  'clone',
  (
    state,
    { id, title, time, withState }: { id: string; title?: string; time: number; withState: boolean },
  ): { configuration: Configuration; sequence: number; bytes?: Uint8Array } => {
    const { archived: _, ...kept } = state.configuration
    const configuration = { ...kept, title: title ?? kept.title }
    const { sequence } = state
    if (!withState) return { configuration, sequence }
    return { configuration, sequence, bytes: state.cloned(id, configuration, time).save() }
  },
)
