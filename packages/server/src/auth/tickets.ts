import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Principal } from './roles.ts'
import type { Tokens } from './tokens.ts'

/** Seconds that a ticket is valid. */
export const TICKET_SECONDS = 300

/**
 * Short-lived tickets for the events of one system. A browser's EventSource sends no headers, so the ticket
 * stands in the address, where a token must never stand. It is signed and not kept: every worker of a cluster takes it.
 * It ends with the token that it was given to.
 */
export class Tickets {
  private readonly secret: string | Buffer
  private readonly tokens: Tokens

  /** @param secret what tickets are signed with */
  constructor(secret: string | Buffer, tokens: Tokens) {
    this.secret = secret
    this.tokens = tokens
  }

  /** A ticket for whoever asks, and when it ends. */
  issue({ id = '', expires = Number.POSITIVE_INFINITY }: Principal, system: string, now: number) {
    const end = Math.min(now + TICKET_SECONDS * 1000, expires)
    const content = Buffer.from(JSON.stringify([id, system, end])).toString('base64url')
    return { ticket: `${content}.${this.sign(content)}`, expires: end }
  }

  /** Who holds a ticket, with the right to read its system and nothing else; `undefined` when it is not valid. */
  verify(ticket: string, now: number): Principal | undefined {
    const [content = '', signature = ''] = ticket.split('.')
    const expected = Buffer.from(this.sign(content))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const [id, system, end] = JSON.parse(Buffer.from(content, 'base64url').toString())
    const holder = this.tokens.find(id)
    if (!holder || end <= now || (holder.expires ?? Number.POSITIVE_INFINITY) <= now) return undefined
    return { ...holder, roles: ['viewer'], systems: [system] }
  }

  private sign(content: string): string {
    return createHmac('sha256', this.secret).update(`ticket:${content}`).digest('base64url')
  }
}
