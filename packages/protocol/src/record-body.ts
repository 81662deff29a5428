import { RECORD_VERSION, type RecordBodies } from './record.ts'
import type { RecordKind } from './record-kind.ts'
import { withCurrentRoles } from './token.ts'

/** A body as its record holds it, with the version it was written in. */
export interface Decoded<K extends RecordKind> {
  version: number
  body: RecordBodies[K]
}

/** A record was written by a later version of this software. */
export class UnknownVersion extends Error {
  constructor(kind: RecordKind, version: unknown) {
    super(
      `a ${kind} record has version ${JSON.stringify(version)}; this software knows versions 1 to ${RECORD_VERSION}`,
    )
    this.name = 'UnknownVersion'
  }
}

/** The text of a body for the log; it begins with its version. */
export function encodeBody<K extends RecordKind>(body: RecordBodies[K]): string {
  return `{"version":${RECORD_VERSION},${JSON.stringify(body).slice(1)}`
}

/**
 * The body of a record in its present shape, whatever version it was written in. Bodies without a version are of
 * version 1.
 *
 * @param channels of the system: version 1 named channels by their index
 */
export function decodeBody<K extends RecordKind>(kind: K, text: string, channels: readonly string[]): Decoded<K> {
  const { version = 1, ...body } = JSON.parse(text)
  if (version === RECORD_VERSION) return { version, body }
  if (version !== 1) throw new UnknownVersion(kind, version)
  return { version, body: upgrade(kind, body, channels) as RecordBodies[K] }
}

// biome-ignore lint/suspicious/noExplicitAny: version 1 is described nowhere but here
type FirstVersion = any

/** From version 1: `id`, `answer` and `held` became `assessment`, `kind` and `degraded`, `expert` became `reviewer`. */
function upgrade(kind: RecordKind, body: FirstVersion, channels: readonly string[]): object {
  switch (kind) {
    case 'sample': {
      const { held, ...rest } = body
      return held ? { ...rest, degraded: held.map((channel: number) => channels[channel]) } : rest
    }
    case 'assessment': {
      const { id, ...rest } = body
      return { assessment: id, ...rest }
    }
    case 'feedback':
    case 'correction': {
      const { answer, ...rest } = body
      return { ...rest, kind: answer }
    }
    case 'token':
      return body.token ? { ...body, token: withCurrentRoles(body.token) } : body
    default:
      return body
  }
}
