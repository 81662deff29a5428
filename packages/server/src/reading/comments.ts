import { type Comment, type CommentList, decodeBody } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import type { Names } from './reading.ts'

/** Records read at once. */
const PAGE = 1_000

/** The comments on the moment of an assessment, and the notes of those who could not tell, from the log. */
export async function commentsOn(log: LogReader, { system }: Names, assessment: number): Promise<CommentList> {
  const comments: Comment[] = []
  for (let from = 1; ; ) {
    const records = await log.read(system, { from, kinds: ['comment', 'abstention'], limit: PAGE })
    const found = records.flatMap((record) => commentIn(record) ?? [])
    comments.push(...found.filter((comment) => comment.assessment === assessment))
    if (records.length < PAGE) return { comments }
    from = records[records.length - 1].sequence + 1
  }
}

function commentIn({ kind, body, sequence, time }: StoredRecord): Comment | undefined {
  if (kind === 'comment') {
    const { assessment, text, by } = decodeBody(kind, body, []).body
    return { assessment, text, by, sequence, time }
  }
  const { assessment, note, by } = decodeBody('abstention', body, []).body
  return note === undefined ? undefined : { assessment, text: note, cannotTell: true, by, sequence, time }
}
