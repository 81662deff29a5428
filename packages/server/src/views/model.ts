import { defineView } from './view.ts'

/** The present model as bytes, and the record it includes: what a copy in another thread is made of. */
export const presentModel = defineView(
  'present model',
  ({ model, sequence }): { bytes: Uint8Array; sequence: number } => ({ bytes: model.assessor.snapshot(), sequence }),
)
