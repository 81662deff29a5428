import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { EventLog } from '../log/event-log.ts'
import type { RecordKind } from '../log/record.ts'
import type { LiveSystem, StoredRecord } from '../service/live-system.ts'

/** Seconds between comments that keep idle connections open. */
const HEARTBEAT_SECONDS = 15
/** Bytes that may wait for a slow reader before it is cut off; it comes back with Last-Event-ID and misses nothing. */
const BUFFER = 1 << 20
/** Records that may arrive while the past is being sent. */
const WAITING = 20_000
/** Records read at once. */
const PAGE = 500

/**
 * Records of a system as server-sent events: first those after `after` from the log, then each as it reaches the disk.
 * The id of an event is the number of its record.
 */
export function eventStream(
  log: EventLog,
  system: LiveSystem,
  after: number,
  kinds: readonly RecordKind[],
): PassThrough {
  const stream = new PassThrough({ highWaterMark: BUFFER })
  const waiting: StoredRecord[] = []
  let live = false
  const send = (record: StoredRecord) => {
    if (!kinds.includes(record.kind)) return
    const { sequence, time, kind, body } = record
    const data = `{"sequence":${sequence},"time":${time},${body.slice(1)}`
    if (!stream.write(`id: ${sequence}\nevent: ${kind}\ndata: ${data}\n\n`) && live) stream.destroy()
  }
  const unsubscribe = system.subscribe((record) => {
    if (live) send(record)
    else if (waiting.push(record) > WAITING) stream.destroy()
  })
  const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_SECONDS * 1000)
  // The client comes back with Last-Event-ID, to whoever has the system then.
  const stopWaiting = system.onEnd(() => stream.end())
  stream.once('close', () => {
    unsubscribe()
    stopWaiting()
    clearInterval(heartbeat)
  })
  stream.write('retry: 1000\n\n')
  catchUp().catch((error) => stream.destroy(error))
  return stream

  async function catchUp(): Promise<void> {
    const first = (await log.extent(system.id))?.first ?? 1
    if (after + 1 < first) stream.write(`event: gap\ndata: {"from":${after + 1},"to":${first - 1}}\n\n`)
    let sent = after
    for (let more = true; more && !stream.destroyed; ) {
      const records = await log.read(system.id, { from: sent + 1, kinds, limit: PAGE })
      for (const record of records) send(record)
      sent = records.at(-1)?.sequence ?? sent
      more = records.length === PAGE
      while (stream.writableNeedDrain && !stream.destroyed) await setTimeout(50)
    }
    // What arrived meanwhile and was not in the last page.
    live = true
    for (const record of waiting) if (record.sequence > sent) send(record)
  }
}
