/** What a token may be, and with it the person or program that has it. */
export type Role = 'sensor' | 'reviewer' | 'viewer' | 'admin'

/** Every role. */
export const ROLES: readonly Role[] = ['sensor', 'reviewer', 'viewer', 'admin']

/** The role by its present name. `expert` is the former name of `reviewer`. */
export function currentRole(role: string): string {
  return role === 'expert' ? 'reviewer' : role
}
