import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections of a server that have not asked for anything yet. Browsers open some to be quicker later. Node counts
 * them neither as idle nor as busy, so a server that stops would wait for them in vain.
 */
export class UnusedConnections {
  private readonly sockets = new Set<Socket>()

  /** @param secure whether the server speaks TLS: then a connection counts from the end of its handshake */
  constructor(server: Server, secure: boolean) {
    server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
    server.on('request', ({ socket }) => this.sockets.delete(socket))
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}
