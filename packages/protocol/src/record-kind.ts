/**
 * Everything a record can say happened. Inputs change the state: `created`, `sample`, `feedback`, `correction`,
 * `configuration`, `channel` and `level` (one was added), `acknowledgement`, `alarm-action` (shelving and the like),
 * `exclusion` (the model forgets samples), `stretch` (one answer about many samples), `withdrawal` (it is taken back),
 * `clock` (the wall clock jumped, or the times of records change their pace),
 * `abstention` (a reviewer cannot tell), `second-opinion` (compared with the first answer), `comment`, `assignment`
 * (who shall answer),
 * `tick` (time has passed without a sample). `assessment` and `alarm` follow from them and are recorded so that a
 * replay can be compared.
 * `snapshot` and `compaction` mark the upkeep of the log. `token` and `deletion` belong to the server's own log.
 */
export const RECORD_KINDS = [
  'created',
  'sample',
  'assessment',
  'feedback',
  'correction',
  'configuration',
  'channel',
  'level',
  'alarm',
  'acknowledgement',
  'alarm-action',
  'exclusion',
  'stretch',
  'withdrawal',
  'abstention',
  'second-opinion',
  'comment',
  'assignment',
  'clock',
  'tick',
  'snapshot',
  'compaction',
  'token',
  'deletion',
] as const

/** What a record says happened. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Kinds that follow from the others, and are compared when a log is replayed. */
export const DERIVED_KINDS: readonly RecordKind[] = ['assessment', 'alarm']

/** Kinds that mark the upkeep of the log and change no state. */
export const UPKEEP_KINDS: readonly RecordKind[] = ['snapshot', 'compaction']

/** Kinds of events that are sent only to a client that asks for them. */
const UNUSUAL_EVENTS: readonly RecordKind[] = ['created', 'sample', 'tick', ...UPKEEP_KINDS, 'token', 'deletion']

/** Kinds of events that are sent unless a client asks for others. */
export const USUAL_EVENTS: readonly RecordKind[] = RECORD_KINDS.filter((kind) => !UNUSUAL_EVENTS.includes(kind))
