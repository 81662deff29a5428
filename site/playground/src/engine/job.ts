import type { FileColumns, MethodChoice, Reviewer } from '../settings/settings.ts'

/** One method over one stream: what a worker is asked to run. */
export interface Job {
  stream: GeneratedStream | FileStream
  method: MethodChoice
  seed: number
  reviewer: Reviewer
}

interface GeneratedStream {
  kind: 'generator'
  address: string
}

interface FileStream {
  kind: 'file'
  file: Blob
  columns: FileColumns
}
