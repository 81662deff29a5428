/** The bytes of a text in UTF-8, piece by piece. A piece is valid until the next call. */
export interface ByteSource {
  /** The next piece; `undefined` at the end. */
  next(): Uint8Array | undefined
  /** Lets go of the file; a source may be closed more than once. */
  close(): void
}

/** Bytes in memory as a source of one piece. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  let piece: Uint8Array | undefined = bytes
  return {
    next() {
      const found = piece
      piece = undefined
      return found
    },
    close() {},
  }
}

/** A text in memory as a source of one piece. */
export function textSource(text: string): ByteSource {
  return bytesSource(new TextEncoder().encode(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text))
}

/** Takes byte order marks off and turns UTF-16 into UTF-8. The first piece decides. */
export function asUtf8(source: ByteSource): ByteSource {
  let decode: ((piece: Uint8Array | undefined) => Uint8Array | undefined) | undefined
  return {
    next() {
      const piece = source.next()
      if (decode) return decode(piece)
      if (piece === undefined) return undefined
      const encoding = utf16(piece)
      if (encoding === undefined) {
        decode = (later) => later
        return isUtf8Mark(piece) ? piece.subarray(3) : piece
      }
      decode = transcoder(encoding)
      return decode(piece)
    },
    close: () => source.close(),
  }
}

function isUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** UTF-16 by its mark, or without one by the zero that is half of each of the first two characters of a table. */
function utf16([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (a > 0 && b === 0 && c > 0 && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b > 0 && c === 0 && d > 0)) return 'utf-16be'
  return undefined
}

function transcoder(encoding: string): (piece: Uint8Array | undefined) => Uint8Array | undefined {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  let ended = false
  return (piece) => {
    if (ended) return undefined
    ended = piece === undefined
    return encoder.encode(decoder.decode(piece, { stream: !ended }))
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const WINDOWS = new TextDecoder('windows-1252')
/** Decoders are slow to call; most cells are shorter than this and plain. */
const SHORT = 48

/**
 * Bytes `start` … `end` as text: UTF-8, or where they cannot be that, Windows-1252, which older tools for plants write.
 */
export function decodeText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (end - start <= SHORT) {
    let text = ''
    let at = start
    for (; at < end && bytes[at] < 128; at++) text += String.fromCharCode(bytes[at])
    if (at === end) return text
  }
  const part = bytes.subarray(start, end)
  try {
    return UTF8.decode(part)
  } catch {
    return WINDOWS.decode(part)
  }
}
