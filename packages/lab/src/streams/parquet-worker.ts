import { type MessagePort, workerData } from 'node:worker_threads'
import { parquetReadObjects } from 'hyparquet'
import { DataError } from '../errors.ts'
import { cellText } from './ndjson.ts'

/** What the worker of {@link readParquet} sends back. */
export type ParquetAnswer = { names: string[]; rows: string[][] } | { error: string }

const { bytes, path, done, port } = workerData as {
  bytes: Uint8Array
  path: string
  done: Int32Array
  port: MessagePort
}

async function read(): Promise<ParquetAnswer> {
  try {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const objects = await parquetReadObjects({ file })
    const names = Object.keys(objects[0] ?? {})
    const rows = objects.map((row, index) =>
      names.map((name) => cellText(row[name], path, `row ${index + 1}, column ${name}`)),
    )
    return rows.length === 0 ? { error: 'no data rows' } : { names, rows }
  } catch (error) {
    const { message } = error as Error
    return {
      error: error instanceof DataError ? message.slice(path.length + 2) : `not a readable Parquet file (${message})`,
    }
  }
}

port.postMessage(await read())
Atomics.store(done, 0, 1)
Atomics.notify(done, 0)
