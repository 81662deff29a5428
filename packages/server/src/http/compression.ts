import compress from '@fastify/compress'
import type { App } from './context.ts'

/** What compresses well. Not streams of events and of lines: each of their parts must go out at once. */
const TYPES = /^(text\/(?!event-stream)|application\/(json|problem\+json|javascript|manifest\+json|wasm)|image\/svg)/

/** Answers shorter than this many bytes are sent as they are. */
const LEAST_BYTES = 1_024
/** Answers up to this many bytes are compressed at once, longer ones by other threads. */
const AT_ONCE_BYTES = 8_192

/** Compresses answers for clients that take it: Brotli, or gzip. Bodies of requests are not decompressed. */
export async function compressAnswers(app: App): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: LEAST_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    customTypes: TYPES,
    globalDecompression: false,
  } as object)
}
