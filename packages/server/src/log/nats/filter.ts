import type { LogQuery } from '../event-log.ts'
import type { StoredRecord } from '../record.ts'

/** Whether a record is of the kinds and by the person a query asks for. */
export function fits({ kind, body }: StoredRecord, { kinds = [], by }: LogQuery): boolean {
  if (kinds.length > 0 && !kinds.includes(kind)) return false
  return by === undefined || (body.includes('"by"') && JSON.parse(body).by === by)
}

/** Thins records out: takes the first one that fits of each part of so many numbers. */
export class Thinning {
  private readonly start: number
  private readonly stride: number
  private bucket = -1

  /** @param start number the counting begins with */
  constructor(start: number, stride: number) {
    this.start = start
    this.stride = stride
  }

  /** Whether this is the first of its part; asked in order. */
  takes({ sequence }: StoredRecord): boolean {
    const bucket = Math.floor((sequence - this.start) / this.stride)
    if (bucket === this.bucket) return false
    this.bucket = bucket
    return true
  }

  /** The first number of the next part. */
  next(sequence: number): number {
    return this.start + (Math.floor((sequence - this.start) / this.stride) + 1) * this.stride
  }
}
