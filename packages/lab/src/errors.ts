import { PbOelError } from '@pb-oel/core'

/** A file or its contents are not what was expected; the message names file, place and value. */
export class DataError extends PbOelError {
  readonly source: string

  constructor(source: string, message: string) {
    super(`${source}: ${message}`)
    this.source = source
  }
}
