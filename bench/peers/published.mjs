// Preloaded (node --import) to run our packages as they are published, compiled by `npm run build`, not from sources.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const [, name] = specifier.match(/^@pb-oel\/(\w+)$/) ?? []
    const built = name && new URL(`../../packages/${name}/dist/index.js`, import.meta.url)
    return built && existsSync(built) ? { url: built.href, shortCircuit: true } : next(specifier, context)
  },
})
