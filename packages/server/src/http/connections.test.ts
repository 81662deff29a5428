import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type ConnectionLimits, Connections } from './connections.ts'

/** A server that does not listen: what comes to it is made here. All sockets have the same address. */
function connected(limits: ConnectionLimits) {
  const server = createServer()
  const connections = new Connections(server, limits, false)
  // Only what watches connections is of interest here, not what reads from them.
  const take = server.listeners('connection').at(-1) as (socket: Socket) => void
  const come = () => {
    const socket = new Socket()
    take(socket)
    return socket
  }
  /** A request begins on a connection; the answer ends it. */
  const ask = (socket: Socket) => {
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
    server.prependOnceListener('request', () => {})
    for (const listener of server.listeners('request')) listener({ socket }, response)
    return () => response.emit('close')
  }
  const gone = (...sockets: Socket[]) => sockets.map(({ destroyed }) => destroyed)
  return { server, connections, come, ask, gone }
}

describe('connections', () => {
  it('beyond the limit end the one that has rested longest; fifty more are taken to be refused', () => {
    const { server, connections, come, gone } = connected({ connections: 2, connectionsPerAddress: 100 })
    expect(server.maxConnections).toBe(52)
    const [first, second] = [come(), come()]
    expect(gone(first, second)).toEqual([false, false])
    const third = come()
    expect(gone(first, second, third)).toEqual([true, false, false])
    expect(connections.isOver(third)).toBe(false)
  })

  it('at work are not ended: the newcomer is over the limit until one of them rests', () => {
    const { connections, come, ask, gone } = connected({ connections: 2, connectionsPerAddress: 100 })
    const [first, second] = [come(), come()]
    const [answered] = [ask(first), ask(second)]
    const over = come()
    expect([connections.isOver(over), gone(first, second)]).toEqual([true, [false, false]])
    over.emit('close')
    answered()
    const next = come()
    expect([connections.isOver(next), gone(first, second)]).toEqual([false, [true, false]])
  })

  it('of one address have a limit of their own, and those that ended do not count', () => {
    const { come, gone } = connected({ connections: 100, connectionsPerAddress: 2 })
    const [first, second] = [come(), come()]
    expect(gone(first, second)).toEqual([false, false])
    second.emit('close')
    const third = come()
    expect(gone(first, third)).toEqual([false, false])
    come()
    expect(gone(first, third)).toEqual([true, false])
  })
})
