import type { Role } from '@pb-oel/protocol'

/** What a route needs. `public` needs nothing: health, the page and the API's own description. */
export type Permission = 'public' | 'read' | 'sample' | 'answer' | 'admin'

const GRANTS: Record<Role, readonly Permission[]> = {
  sensor: ['sample'],
  viewer: ['read'],
  reviewer: ['read', 'answer'],
  admin: ['read', 'sample', 'answer', 'admin'],
}

/** Who a request comes from. */
export interface Principal {
  /** Of the token; absent for who needs none. */
  readonly id?: string
  /** When the right ends, milliseconds since 1970. */
  readonly expires?: number
  /** Name in the log. */
  readonly name: string
  readonly roles: readonly Role[]
  /** A bridge of another worker: it hears of whole samples, and says who has answered. */
  readonly bridge?: true
  /** Systems it may touch, or `*` for all, also those to come. */
  readonly systems: readonly string[]
}

/** Whether a principal may do what a route needs, on a system where the route has one. */
export function allows(principal: Principal, permission: Permission, system?: string): boolean {
  if (permission === 'public') return true
  if (!principal.roles.some((role) => GRANTS[role].includes(permission))) return false
  return maySee(principal, system)
}

/** Whether a system is one of the principal's; `*` stands for all. */
export function maySee({ systems }: Principal, system: string | undefined): boolean {
  return system === undefined || systems.includes('*') || systems.includes(system)
}
