import { batch, signal } from '@preact/signals'

/** A place in the page. The address after `#` holds it, so that every place can be linked to. */
export type Route =
  | { view: 'overview' }
  | { view: Place }
  | { view: 'live' | Tab; system: string }
  | { view: 'moment'; system: string; event: number }
  | { view: 'moment-at'; system: string; time: number }
  | { view: 'unknown' }

/** The views that belong to no system, beside the overview. */
const PLACES = ['sign-in', 'alarms', 'new', 'people', 'tour'] as const
type Place = (typeof PLACES)[number]

/** The views of a system beside the live one. */
const TABS = ['review', 'performance', 'history', 'connect', 'settings'] as const
export type Tab = (typeof TABS)[number]

/** The route of an address such as `#/systems/dive/at/120`. */
export function parseRoute(hash: string): Route {
  const parts = hash
    .replace(/\?.*$/s, '')
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decode)
  if (parts.length === 0) return { view: 'overview' }
  const place = PLACES.find((one) => one === parts[0])
  if (parts.length === 1 && place) return { view: place }
  const [head, system, tab, event] = parts
  if (head !== 'systems') return { view: 'unknown' }
  if (parts.length === 1) return { view: 'overview' }
  if (parts.length === 2) return { view: 'live', system }
  const known = TABS.find((one) => one === tab)
  if (parts.length === 3 && known) return { view: known, system }
  if (parts.length === 4 && tab === 'at' && /^\d{1,15}$/.test(event))
    return { view: 'moment', system, event: Number(event) }
  if (parts.length === 4 && tab === 'at' && event.includes('T') && Date.parse(event) >= 0)
    return { view: 'moment-at', system, time: Date.parse(event) }
  return { view: 'unknown' }
}

/** The address of a system's view. */
export function systemLink(system: string, tab?: Tab): string {
  return `#/systems/${encodeURIComponent(system)}${tab ? `/${tab}` : ''}`
}

/** The address of a system as it was after a record of its log. */
export function momentLink(system: string, event: number): string {
  return `${systemLink(system)}/at/${event}`
}

/** The address of a system as it was at a time, such as when an alarm was raised. */
export function momentAtLink(system: string, time: number): string {
  return `${systemLink(system)}/at/${new Date(time).toISOString()}`
}

/** A malformed escape stays as it is. It then names no system, and the page says so. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The current route. */
export const route = signal<Route>({ view: 'overview' })
/** What stands behind `?` in the address: the time shown, and filters. */
export const query = signal<Readonly<Record<string, string>>>({})

/** The query of an address such as `#/systems/dive?last=5m`. */
export function parseQuery(hash: string): Record<string, string> {
  const at = hash.indexOf('?')
  return at < 0 ? {} : Object.fromEntries(new URLSearchParams(hash.slice(at + 1)))
}

/**
 * Changes parts of the query; `undefined` removes one. Going back undoes it, unless it replaces the address, as it must
 * while a person types.
 */
export function changeQuery(
  change: Readonly<Record<string, string | undefined>>,
  how: 'add' | 'replace' = 'add',
): void {
  const changed = Object.entries({ ...query.peek(), ...change }).filter(([, value]) => value !== undefined)
  const words = new URLSearchParams(changed as [string, string][]).toString().replaceAll('%3A', ':')
  const place = location.hash.replace(/\?.*$/s, '') || '#/'
  const address = words === '' ? place : `${place}?${words}`
  if (address === (location.hash || '#/')) return
  history[how === 'add' ? 'pushState' : 'replaceState'](null, '', address)
  readAddress()
}

function readAddress(): void {
  const [at, words] = [parseRoute(location.hash), parseQuery(location.hash)]
  batch(() => {
    if (JSON.stringify(at) !== JSON.stringify(route.peek())) route.value = at
    if (JSON.stringify(words) !== JSON.stringify(query.peek())) query.value = words
  })
}

/** Follows the address bar from now on. */
export function startRouter(): void {
  addEventListener('hashchange', readAddress)
  addEventListener('popstate', readAddress)
  readAddress()
}
