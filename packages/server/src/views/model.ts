import { defineView } from './view.ts'

/** The present model as bytes, and the record it includes: what a copy in another thread is made of. */
export const presentModel = defineView(
  'present model',
  ({ assessor, sequence }): { bytes: Uint8Array; sequence: number } => ({ bytes: assessor.snapshot(), sequence }),
)
