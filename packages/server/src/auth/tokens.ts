import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { decodeBody, encodeBody, type RecordBodies } from '@pb-oel/protocol'
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

  private constructor(log: EventLog) {
    this.log = log
  }

  static async open(log: EventLog): Promise<Tokens> {
    const tokens = new Tokens(log)
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
        this.apply(decodeBody('token', record.body, []).body)
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
  async create(principal: Principal, by: string, now: number): Promise<{ id: string; text: string }> {
    if (this.size === 0 && !(principal.roles.includes('admin') && principal.systems.includes('*'))) {
      throw new Conflict('the first token must be an admin of all systems: nobody could make another one')
    }
    const id = randomBytes(6).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const { name } = principal
    const [roles, systems] = [[...principal.roles], [...principal.systems]]
    const token = { id, name, roles, systems, sha256: hash('sha256', secret), created: now, createdBy: by }
    await this.write({ action: 'created', token }, now)
    return { id, text: `pboel_${id}_${secret}` }
  }

  /** Ends a token at once. */
  async revoke(id: string, by: string, now: number): Promise<void> {
    const token = this.tokens.get(id)
    if (!token) throw new NotFound(`there is no token ${id}`)
    const admins = this.list().filter(({ roles, systems }) => roles.includes('admin') && systems.includes('*'))
    if (admins.length === 1 && admins[0] === token)
      throw new Conflict('the last admin of all systems cannot be removed')
    await this.write({ action: 'revoked', id, by }, now)
  }

  /** The principal of a token's text, compared in constant time. */
  verify(text: string): Principal | undefined {
    const [, id, secret] = text.match(/^pboel_([0-9a-f]{12})_([\w-]{43})$/) ?? []
    const token = id === undefined ? undefined : this.tokens.get(id)
    const expected = token ? Buffer.from(token.sha256, 'hex') : NOBODY
    const same = timingSafeEqual(hash('sha256', secret ?? '', 'buffer'), expected)
    return same ? token : undefined
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
    if (event.action === 'created') this.tokens.set(event.token.id, event.token)
    else this.tokens.delete(event.id)
  }
}
