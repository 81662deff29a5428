import { type Extensions, findMethod } from '@pb-oel/core'

/**
 * The options of a new system. Beside what the caller gives, the service chooses scaling that no single sample can
 * spoil, where the method scales: sensors fail, and a value of 1e6 must not end a model for good. They are recorded
 * with the system, so that older systems go on with what they were made with.
 */
export function serviceOptions(
  method: string,
  given: Readonly<Record<string, unknown>> = {},
  extensions?: Extensions,
): Record<string, unknown> {
  const scales = Object.hasOwn(findMethod(method, extensions).options, 'scaling')
  return scales ? { scaling: 'robust', ...given } : { ...given }
}
