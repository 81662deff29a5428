import type { FastifyReply } from 'fastify'

/** Answers with JSON that was made elsewhere, byte for byte. */
export function sendJson(reply: FastifyReply, bytes: Uint8Array): never {
  return reply.type('application/json; charset=utf-8').send(bytes) as never
}
