import { hash } from 'node:crypto'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { ObjectStore } from '@nats-io/obj'
import { headers, nuid } from '@nats-io/transport-node'
import { systemClock } from '../../clock/clock.ts'

/** An object store whose names are each used once. */
export interface Objects extends Pick<ObjectStore, 'info' | 'delete'> {
  /** Writes an object under a name that no other object has had. */
  put(name: string, bytes: Uint8Array): Promise<void>
}

/** Bytes of one message of an object. A state is then in three messages, each a round trip for who takes it over. */
const CHUNK = 512 * 1024

/**
 * An object store that writes as the library does (ADR-20 of NATS), with the hash of this machine instead of one in
 * JavaScript: that took 19 ms per state, in which a worker did nothing else.
 */
export function quickPut(store: ObjectStore, bucket: string, js: JetStreamClient, jsm: JetStreamManager): Objects {
  const put = async (name: string, bytes: Uint8Array) => {
    const id = nuid.next()
    const subject = `$O.${bucket}.C.${id}`
    try {
      let chunks = 0
      for (; chunks * CHUNK < bytes.length; chunks++) {
        await js.publish(subject, bytes.subarray(chunks * CHUNK, (chunks + 1) * CHUNK))
      }
      const header = headers()
      header.set('Nats-Rollup', 'sub')
      const info = {
        ...{ name, bucket, nuid: id, size: bytes.length, chunks, options: { max_chunk_size: CHUNK } },
        ...{
          digest: `SHA-256=${padded(hash('sha256', bytes, 'base64url'))}`,
          mtime: new Date(systemClock.wall()).toISOString(),
        },
        deleted: false,
      }
      await js.publish(`$O.${bucket}.M.${padded(Buffer.from(name).toString('base64url'))}`, JSON.stringify(info), {
        headers: header,
      })
    } catch (error) {
      // What has arrived belongs to nothing.
      await jsm.streams.purge(`OBJ_${bucket}`, { filter: subject }).catch(() => {})
      throw error
    }
  }
  return { put, info: (name) => store.info(name), delete: (name) => store.delete(name) }
}

/** Base64 as the object store writes it: with its end. */
function padded(text: string): string {
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}
