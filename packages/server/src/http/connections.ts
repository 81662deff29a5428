import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Connections beyond the limit that are still taken, for `/healthz` and for a proper refusal. */
const RESERVE = 50

/** How many connections there may be. */
export interface ConnectionLimits {
  connections: number
  connectionsPerAddress: number
}

/**
 * Keeps room for those who have something to say. A connection rests while no complete request is under way on it: it
 * is idle, or its head drips in. When there are too many, the one that has rested longest makes room for the newcomer.
 * Only when all are at work is the newcomer over the limit.
 */
export class Connections {
  private readonly limits: ConnectionLimits
  /** Oldest first. */
  private readonly resting = new Set<Socket>()
  private readonly open = new Map<Socket, string>()
  private readonly addresses = new Map<string, number>()
  private readonly over = new WeakSet<Socket>()

  constructor(server: Server, limits: ConnectionLimits, secure: boolean) {
    this.limits = limits
    server.maxConnections = limits.connections + RESERVE
    server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => this.take(socket))
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.resting.delete(socket)
      response.once('close', () => {
        if (this.open.has(socket)) this.resting.add(socket)
      })
    })
  }

  /** Whether a connection is beyond the limit. */
  isOver(socket: Socket): boolean {
    return this.over.has(socket)
  }

  private take(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const mine = (this.addresses.get(address) ?? 0) + 1
    if (mine > this.limits.connectionsPerAddress) this.makeRoom(socket, address)
    else if (this.open.size >= this.limits.connections) this.makeRoom(socket)
    this.open.set(socket, address)
    this.addresses.set(address, (this.addresses.get(address) ?? 0) + 1)
    this.resting.add(socket)
    socket.once('close', () => this.forget(socket))
  }

  /** Ends the connection that has rested longest, of an address where one is given. */
  private makeRoom(newcomer: Socket, address?: string): void {
    for (const socket of this.resting) {
      if (address !== undefined && this.open.get(socket) !== address) continue
      this.forget(socket)
      socket.destroy()
      return
    }
    this.over.add(newcomer)
  }

  private forget(socket: Socket): void {
    const address = this.open.get(socket)
    if (address === undefined) return
    this.open.delete(socket)
    this.resting.delete(socket)
    const left = (this.addresses.get(address) ?? 1) - 1
    if (left > 0) this.addresses.set(address, left)
    else this.addresses.delete(address)
  }
}
