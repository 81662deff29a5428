import { OptionError, type Stream } from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/core/streams'
import { parseAddress } from './address.ts'

/** Opens a generator by the address the command line takes, such as `dive:seed=3,samples=60000`. */
export function openGenerator(address: string): Stream {
  const { name, settings } = parseAddress(address)
  const generator = GENERATORS.find((generator) => generator.name === name)
  if (!generator) throw new OptionError('stream', name, `one of ${GENERATORS.map(({ name }) => name).join(', ')}`)
  return generator.create(settings)
}
