/** Name and settings of the address of a generator, such as `dive:seed=3,samples=60000`. */
export function parseAddress(address: string): { name: string; settings: Record<string, number> } {
  const [name, rest = ''] = address.split(':')
  const pairs = rest.split(',').filter(Boolean)
  return {
    name,
    settings: Object.fromEntries(pairs.map((pair) => pair.split('=')).map(([key, value]) => [key, Number(value)])),
  }
}

/** The address of a generator with these settings. */
export function writeAddress(name: string, settings: Readonly<Record<string, number>>): string {
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? name : `${name}:${pairs.join(',')}`
}
