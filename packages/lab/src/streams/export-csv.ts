import type { Stream } from '@pb-oel/core'

/**
 * A stream as CSV, in pieces of about 64 kB: a header, one row per sample, the level's number last. Numbers are written
 * so that reading them gives the same bits.
 */
export function* csvLines(stream: Stream): Generator<string> {
  let piece = `${[...stream.channels, 'label'].map(quote).join(',')}\n`
  for (const { x, level } of stream) {
    piece += `${x.join(',')},${level}\n`
    if (piece.length > 65_536) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function quote(name: string): string {
  return /[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
