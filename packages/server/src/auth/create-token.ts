import { currentRole, type Role } from '@pb-oel/protocol'
import { systemClock } from '../clock/clock.ts'
import type { NatsLogOptions } from '../log/nats/nats-log.ts'
import { NatsLog } from '../log/nats/nats-log.ts'
import { SqliteLog } from '../log/sqlite-log.ts'
import type { Principal } from './roles.ts'
import { Tokens } from './tokens.ts'

/**
 * Makes a token in a store that no server has open, or in the log of a cluster, and returns its text. This makes the
 * first admin.
 */
export async function createToken(store: string | NatsLogOptions, principal: Principal): Promise<string> {
  const log = typeof store === 'string' ? await SqliteLog.open(store) : await NatsLog.open(store)
  try {
    const tokens = await Tokens.open(log)
    const roles = principal.roles.map((role) => currentRole(role) as Role)
    const { text } = await tokens.create({ ...principal, roles }, 'command line', systemClock.wall())
    return text
  } finally {
    await log.close()
  }
}
