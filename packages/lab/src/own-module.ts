/** Address of a module of this package for a worker: the source in a clone, the compiled file when installed. */
export function ownModule(path: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`${path}.${extension}`, import.meta.url)
}
