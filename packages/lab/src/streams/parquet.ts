import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { DataError } from '../errors.ts'
import { ownModule } from '../own-module.ts'
import type { ParquetAnswer } from './parquet-worker.ts'
import { readBytes } from './read-file.ts'
import type { TableBuilder } from './table-stream.ts'

/**
 * Reads a Parquet file into a table. Opening a stream is synchronous and the reader of Parquet is not, so a worker
 * reads while this thread waits.
 */
export function readParquet(path: string, table: TableBuilder): void {
  const bytes = readBytes(path)
  const done = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const workerData = { bytes, path, done, port: port2 }
  const worker = new Worker(ownModule('./streams/parquet-worker'), { workerData, transferList: [port2] })
  Atomics.wait(done, 0, 0)
  const answer = receiveMessageOnPort(port1)?.message as ParquetAnswer
  port1.close()
  void worker.terminate()
  if ('error' in answer) throw new DataError(path, answer.error)
  table.declare(answer.names.map((name) => ({ name })))
  answer.rows.forEach((row, index) => {
    table.add(row, index + 1)
  })
}
