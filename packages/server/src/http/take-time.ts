import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { App } from './context.ts'

/** Lets a request take longer than a connection may rest, such as one that replays a log. */
export function takeTime({ server }: App, { raw }: FastifyReply): void {
  const { socket } = raw
  // A request that comes by `inject` has no connection.
  if (!(socket instanceof Socket)) return
  socket.setTimeout(0)
  raw.once('close', () => socket.setTimeout(server.timeout))
}
