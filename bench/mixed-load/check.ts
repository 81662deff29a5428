import { replaySystem, SqliteLogReader } from '@pb-oel/server'
import type { Acknowledged } from './ingest.ts'

/** A state as the server told it: its last record and its hash. */
export interface LiveState {
  sequence: number
  stateHash: string
}

/** What is wrong with a store after a run; nothing when all is as it was acknowledged. */
export async function checkStore(
  store: string,
  acknowledged: Acknowledged,
  states: ReadonlyMap<string, LiveState>,
): Promise<{ wrong: string[]; records: number; acknowledged: number }> {
  const log = await SqliteLogReader.openReader(store)
  const wrong: string[] = []
  let [records, kept] = [0, 0]
  for (const [system, keys] of acknowledged) {
    const places = new Map<string, number>()
    for (let from = 1; ; ) {
      const page = await log.read(system, { from, kinds: ['sample', 'feedback', 'correction'], limit: 1_000 })
      for (const { sequence, body } of page) {
        const { key } = JSON.parse(body)
        if (places.has(key)) wrong.push(`${system}: ${key} is there twice, at ${places.get(key)} and ${sequence}`)
        places.set(key, sequence)
      }
      if (page.length < 1_000) break
      from = (page.at(-1)?.sequence ?? 0) + 1
    }
    for (const [key, sequence] of keys) {
      if (places.get(key) !== sequence) wrong.push(`${system}: ${key} was acknowledged at ${sequence} and is not there`)
    }
    // A server that stops saves its states, which adds a record.
    const live = states.get(system)
    const { difference, stateHash, to } = await replaySystem(log, system, live?.sequence)
    if (difference) wrong.push(difference.message)
    else if (stateHash !== live?.stateHash) wrong.push(`${system}: the live state and the replayed one differ`)
    records += to
    kept += keys.size
  }
  await log.close()
  return { wrong, records, acknowledged: kept }
}
