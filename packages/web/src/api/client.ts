import { signal } from '@preact/signals'
import { text } from '../strings/en.ts'

/** The bearer token of this person; `null` before sign-in and on an open local server. */
export const token = signal<string | null>(null)
/** Whether the latest request reached the server. */
export const reachable = signal(true)
/** Goes up when the server refuses the token, so that the page asks to sign in again. */
export const refusals = signal(0)

/** A request failed. Status 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  /** Whether it asked for a change that the server may have made, because only the answer is missing. */
  readonly unsure: boolean

  constructor(status: number, message: string, unsure = false) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.unsure = unsure
  }
}

/** Says that something failed and why, in the words of `failed`, or that nobody knows whether it did. */
export function sayFailed(error: unknown, failed: (why: string) => string): string {
  const { unsure, message } = error as ApiError
  return unsure ? text.unsure : failed(message)
}

/** Headers of every request. */
export function headers(): Record<string, string> {
  const text = token.peek()
  return text === null ? {} : { authorization: `Bearer ${text}` }
}

/** Milliseconds after which a request counts as lost. */
const TIMEOUT = 20_000
/** The same for work that a long log makes long, such as a replay. The person can leave it at any time. */
export const LONG_WORK = 3_600_000

/** One request; resolves to the parsed answer, throws an {@link ApiError}. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  patience = TIMEOUT,
): Promise<T> {
  const timeout = AbortSignal.timeout(patience)
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: 'no-store',
    })
  } catch (error) {
    if (!signal?.aborted) reachable.value = false
    throw new ApiError(0, (error as Error).message, method !== 'GET')
  }
  reachable.value = true
  if (response.status === 401) refusals.value++
  const type = response.headers.get('content-type') ?? ''
  const answer = type.includes('json') ? await response.json() : undefined
  if (!response.ok) throw new ApiError(response.status, answer?.detail ?? response.statusText)
  return answer as T
}

/** A GET request with a query; `undefined` parts are left out. */
export function get<T>(
  path: string,
  query: Record<string, unknown> = {},
  signal?: AbortSignal,
  patience?: number,
): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return request<T>('GET', text === '' ? path : `${path}?${text}`, undefined, signal, patience)
}

/** The address of a system under the API. */
export function systemPath(id: string, rest = ''): string {
  return `/v1/systems/${encodeURIComponent(id)}${rest}`
}
