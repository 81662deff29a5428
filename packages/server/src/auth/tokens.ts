import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { decodeBody, encodeBody, type RecordBodies } from '@pb-oel/protocol'
import { type Clock, systemClock } from '../clock/clock.ts'
import { Conflict, NotFound } from '../errors.ts'
import { ChainVerifier } from '../log/chain.ts'
import type { EventLog } from '../log/event-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import type { Principal } from './roles.ts'

type TokenEvent = RecordBodies['token']
/** A token as it is kept: everything but the secret, of which only the SHA-256. */
type StoredToken = Extract<TokenEvent, { action: 'created' }>['token']

/** Compared with when no token has the id, so that an unknown id takes as long as a wrong secret. */
const NOBODY = hash('sha256', randomBytes(32), 'buffer')

/**
 * Bearer tokens, `pboel_<id>_<secret>`. The secret has 256 random bits, so a plain SHA-256 keeps it: there is nothing
 * to guess. What exists is the fold of the server's own log, so who gave which right to whom is on record.
 */
export class Tokens {
  private readonly log: EventLog
  private readonly tokens = new Map<string, StoredToken>()
  private sequence = 0
  private readonly chain = new ChainVerifier(SERVER_LOG)
  private busy: Promise<unknown> = Promise.resolve()
  /** What is to end with a token, by its id. */
  private readonly watchers = new Map<string, Set<() => void>>()

  private readonly clock: Clock

  private constructor(log: EventLog, clock: Clock) {
    this.log = log
    this.clock = clock
  }

  static async open(log: EventLog, clock: Clock = systemClock): Promise<Tokens> {
    const tokens = new Tokens(log, clock)
    await tokens.refresh()
    return tokens
  }

  /** Takes in what other workers of a cluster have changed. */
  refresh(): Promise<void> {
    const done = this.busy.then(() => this.readOn())
    this.busy = done.catch(() => {})
    return done
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const records = await this.log.read(SERVER_LOG, { from: this.sequence + 1 })
      if (records.length === 0) return
      for (const record of records) {
        this.chain.check(record)
        this.sequence = record.sequence
        if (record.kind === 'token') this.apply(decodeBody('token', record.body, []).body)
      }
    }
  }

  get size(): number {
    return this.tokens.size
  }

  /** All tokens, without secrets, oldest first. */
  list(): StoredToken[] {
    return [...this.tokens.values()]
  }

  /** Makes a token and returns its text, which is nowhere else and never shown again. */
  async create(
    principal: Pick<Principal, 'name' | 'roles' | 'systems' | 'expires'>,
    by: string,
    now: number,
  ): Promise<{ id: string; text: string }> {
    const { expires } = principal
    if (this.size === 0 && !isLastingAdmin(principal)) {
      throw new Conflict(
        'the first token must be an admin of all systems that does not expire: nobody could make another one',
      )
    }
    if ((expires ?? Number.POSITIVE_INFINITY) <= now) throw new Conflict('expires: this moment has passed')
    const id = randomBytes(6).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const { name } = principal
    const [roles, systems] = [[...principal.roles], [...principal.systems]]
    const token = { id, name, roles, systems, sha256: hash('sha256', secret), created: now, createdBy: by, expires }
    await this.write({ action: 'created', token }, now)
    return { id, text: `pboel_${id}_${secret}` }
  }

  /** Ends a token at once, and with it every stream that was opened with it. */
  async revoke(id: string, by: string, now: number): Promise<void> {
    this.known(id)
    this.keepAnAdmin(id)
    await this.write({ action: 'revoked', id, by }, now)
  }

  /** Makes a new token with the rights of another one, which ends at once or after some milliseconds. */
  async rotate(id: string, grace: number, by: string, now: number): Promise<{ id: string; text: string }> {
    const made = await this.create(this.known(id), by, now)
    const event: TokenEvent =
      grace > 0 ? { action: 'limited', id, expires: now + grace, by } : { action: 'revoked', id, by }
    await this.write(event, now)
    return made
  }

  /** The principal of a token's text, compared in constant time. */
  verify(text: string, now: number): Principal | undefined {
    const { id = '', secret = '' } = text.match(/^pboel_(?<id>[0-9a-f]{12})_(?<secret>[\w-]{43})$/)?.groups ?? {}
    const token = this.tokens.get(id)
    const expected = token ? Buffer.from(token.sha256, 'hex') : NOBODY
    const same = timingSafeEqual(hash('sha256', secret, 'buffer'), expected)
    return same && (token?.expires ?? Number.POSITIVE_INFINITY) > now ? token : undefined
  }

  /**
   * Calls back when the right that something was begun with ends: the token is revoked or expires, or, without a token,
   * the server gets its first one. Returns how to stop waiting.
   */
  watch({ id = '' }: Principal, now: number, listener: () => void): () => void {
    const listeners = this.watchers.get(id) ?? new Set()
    this.watchers.set(id, listeners.add(listener))
    const expires = this.tokens.get(id)?.expires
    const cancel = expires === undefined ? () => {} : this.clock.after(expires - now, listener)
    return () => {
      cancel()
      listeners.delete(listener)
    }
  }

  /** The token of an id, while there is one. */
  find(id: string): Principal | undefined {
    return this.tokens.get(id)
  }

  private known(id: string): StoredToken {
    const token = this.tokens.get(id)
    if (!token) throw new NotFound(`there is no token ${id}`)
    return token
  }

  private keepAnAdmin(id: string): void {
    const admins = this.list().filter(isLastingAdmin)
    if (admins.length === 1 && admins[0].id === id) {
      throw new Conflict('the last admin of all systems cannot be removed')
    }
  }

  private write(event: TokenEvent, time: number): Promise<void> {
    const done = this.busy.then(async () => {
      await this.readOn()
      await this.log.append(SERVER_LOG, this.sequence + 1, [{ time, kind: 'token', body: encodeBody(event) }])
      await this.readOn()
    })
    this.busy = done.catch(() => {})
    return done
  }

  private apply(event: TokenEvent): void {
    if (event.action === 'created') {
      this.tokens.set(event.token.id, event.token)
      // What was begun without a token was begun on an open server.
      if (this.size === 1) this.end('')
    } else if (event.action === 'revoked') {
      this.tokens.delete(event.id)
      this.end(event.id)
    } else {
      const token = this.tokens.get(event.id)
      if (token) this.tokens.set(event.id, { ...token, expires: Math.min(event.expires, token.expires ?? Infinity) })
      // Whoever still uses it comes back, and is then watched by the new time.
      this.end(event.id)
    }
  }

  private end(id: string): void {
    for (const listener of this.watchers.get(id) ?? []) listener()
  }
}

/** Whether a token lets somebody make others forever. */
function isLastingAdmin({ roles, systems, expires }: Pick<Principal, 'roles' | 'systems' | 'expires'>): boolean {
  return roles.includes('admin') && systems.includes('*') && expires === undefined
}
