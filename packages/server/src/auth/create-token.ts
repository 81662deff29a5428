import { SqliteLog } from '../log/sqlite-log.ts'
import type { Principal } from './roles.ts'
import { Tokens } from './tokens.ts'

/** Makes a token in a store that no server has open, and returns its text: how the first admin comes to be. */
export async function createToken(store: string, principal: Principal): Promise<string> {
  const log = await SqliteLog.open(store)
  try {
    const tokens = await Tokens.open(log)
    const { text } = await tokens.create(principal, 'command line', Date.now())
    return text
  } finally {
    await log.close()
  }
}
