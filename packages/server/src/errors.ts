import { PbOelError } from '@pb-oel/core'

/**
 * Named errors of the service. Errors that a caller can cause carry the status and title of their problem document
 * (RFC 9457); the others are defects or damage.
 */
export class ServiceError extends PbOelError {
  readonly status: number
  readonly title: string
  /** Seconds after which the same request may succeed, where that is known. */
  readonly retryAfter: number | undefined

  constructor(status: number, title: string, detail: string, retryAfter?: number) {
    super(detail)
    this.status = status
    this.title = title
    this.retryAfter = retryAfter
  }
}

/** The request itself is wrong: a field, a value, a combination. */
export class InvalidRequest extends ServiceError {
  constructor(detail: string) {
    super(400, 'Invalid request', detail)
  }
}

/** The request names something that does not exist. */
export class NotFound extends ServiceError {
  constructor(what: string) {
    super(404, 'Not found', what)
  }
}

/** The request contradicts what has happened already. */
export class Conflict extends ServiceError {
  constructor(detail: string) {
    super(409, 'Conflict', detail)
  }
}

const KEY_USED = 'this key was used for'

/** A key was used before for something else. */
export class KeyUsed extends Conflict {
  constructor(what: string) {
    super(`${KEY_USED} ${what}`)
  }
}

/** Whether an error, perhaps one that another worker told of, is {@link KeyUsed}. */
export function isKeyUsed(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 409 && error.message.startsWith(KEY_USED)
}

/** What the request asks for would take more memory than the server allows. */
export class TooLarge extends ServiceError {
  constructor(detail: string) {
    super(422, 'Too large', detail)
  }
}

/** The request names something that was removed by compaction, or is no longer kept. */
export class Gone extends ServiceError {
  constructor(detail: string) {
    super(410, 'Gone', detail)
  }
}

/** An answer came later than the system takes any. */
export class TooLate extends ServiceError {
  constructor(detail: string) {
    super(410, 'Too late', detail)
  }
}

/** The store takes no more records, mostly because the disk is full. Nothing of the request was kept. */
export class StorageError extends ServiceError {
  constructor(detail: string) {
    super(507, 'Storage unavailable', `${detail}; nothing of this request was kept`)
  }
}

/** The store did not answer in time: the request may have been kept. Repeating it under the same key settles it. */
export class Unconfirmed extends ServiceError {
  constructor(detail: string) {
    super(
      503,
      'Unconfirmed',
      `${detail}; whether this request was kept is not known: send it again with the same key`,
      1,
    )
  }
}

/** The server is starting, stopping, or rebuilding the system from its log. */
export class NotReady extends ServiceError {
  constructor(detail: string, retryAfter = 1) {
    super(503, 'Not ready', detail, retryAfter)
  }
}

/** The chain of records is broken at a record: damage or tampering. */
export class ChainError extends PbOelError {
  readonly sequence: number

  constructor(system: string, sequence: number, what: string) {
    super(`log of ${system}: record ${sequence} ${what}`)
    this.sequence = sequence
  }
}

/** A log holds something that only a later release of this software understands: going on with it would be wrong. */
export class LaterRelease extends PbOelError {
  readonly sequence: number

  constructor(system: string, sequence: number, what: string) {
    super(`log of ${system}: record ${sequence} ${what}; a later release wrote it: upgrade this server`)
    this.sequence = sequence
  }
}

/** A replayed record differs from the recorded one. */
export class ReplayDifference extends PbOelError {
  readonly sequence: number
  readonly recorded: string
  readonly replayed: string

  constructor(system: string, sequence: number, recorded: string, replayed: string) {
    super(`log of ${system}: record ${sequence} was recorded as ${recorded} and replays as ${replayed}`)
    this.sequence = sequence
    this.recorded = recorded
    this.replayed = replayed
  }
}

/** A file of the server (store, configuration, certificate) is missing or not what it should be. */
export class SetupError extends PbOelError {}
