// Preloaded (node --import) to run our packages as they are published, compiled by `npm run build`, not from sources.
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** What each package exports, read once. */
const manifests = new Map()

function exportsOf(name) {
  const file = new URL(`../../packages/${name}/package.json`, import.meta.url)
  if (!manifests.has(name)) manifests.set(name, JSON.parse(readFileSync(file, 'utf8')).exports)
  return manifests.get(name)
}

registerHooks({
  resolve(specifier, context, next) {
    const [, name, part] = specifier.match(/^@pb-oel\/(\w+)(\/.+)?$/) ?? []
    const source = name && exportsOf(name)[part ? `.${part}` : '.']
    const built = source?.replace('./src/', `../../packages/${name}/dist/`).replace(/ts$/, 'js')
    const url = built && new URL(built, import.meta.url)
    return url && existsSync(url) ? { url: url.href, shortCircuit: true } : next(specifier, context)
  },
})
