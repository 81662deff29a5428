import type { Caller } from '@pb-oel/protocol'
import { computed, effect, signal } from '@preact/signals'
import { ApiError, get, refusals, token } from '../api/client.ts'
import { keep, recall } from '../device/stored.ts'

/** The person who uses the page; `null` until the server has told who it is. */
export const me = signal<Caller | null>(null)

/** True when the server wants a token and the page has none, or has one that the server refused. */
export const signInNeeded = computed(() => me.value !== null && !me.value.open && me.value.roles.length === 0)

/** Whether this person may answer questions and acknowledge alarms. */
export const mayAnswer = computed(
  () => me.value?.roles.some((role) => role === 'reviewer' || role === 'admin') ?? false,
)
/** Whether this person may see systems. */
export const mayRead = computed(() => me.value?.roles.some((role) => role !== 'sensor') ?? false)
/** Whether this person may change the simulation. */
export const isAdmin = computed(() => me.value?.roles.includes('admin') ?? false)

/** The name that the person has typed. */
export const typedName = signal(recall('name') ?? '')
const guest =
  recall('guest', 'session') ??
  `guest-${Math.floor(Math.random() * 0xffff)
    .toString(16)
    .padStart(4, '0')}`
keep('guest', guest, 'session')
/** The name that stands beside answers in the log: the token's, or the typed one on an open server. */
export const personName = computed(() => {
  if (me.value && !me.value.open) return me.value.name
  return typedName.value.trim() || guest
})
effect(() => keep('name', typedName.value === '' ? null : typedName.value))

/** The author of a write, for an open server, where no token tells it. */
export function author(): { by?: string } {
  return me.value?.open ? { by: personName.value } : {}
}

/** Asks the server who uses the page, until it answers. */
export async function startSession(): Promise<void> {
  token.value = recall('token', 'session') ?? recall('token')
  let known = refusals.peek()
  effect(() => {
    if (refusals.value === known) return
    known = refusals.value
    signOut()
  })
  for (;;) {
    try {
      me.value = await get<Caller>('/v1/me')
      return
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
      await new Promise((done) => setTimeout(done, 1000))
    }
  }
}

/** Tries a token. Throws the server's refusal when the token is not valid. */
export async function signIn(text: string, remember: boolean): Promise<void> {
  const before = token.value
  token.value = text
  try {
    me.value = await get<Caller>('/v1/me')
  } catch (error) {
    token.value = before
    throw error
  }
  keep('token', text, 'session')
  keep('token', remember ? text : null)
}

/** Forgets the token on this device. */
export function signOut(): void {
  token.value = null
  keep('token', null, 'session')
  keep('token', null)
  me.value = { name: '', roles: [], systems: [], open: false }
}
