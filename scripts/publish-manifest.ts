// In the repository a package's exports name its TypeScript sources, which Node runs directly. A published package must
// name compiled files. Run by npm as `prepack` (`dist`: compile, and rewrite package.json) and `postpack` (`src`: put
// it back).
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const kept = 'package.json.source'

/** The manifest of a package as it is published: exports name compiled files. */
export function publishedManifest(text: string): string {
  const manifest = JSON.parse(text)
  for (const [name, source] of Object.entries<string>(manifest.exports ?? {})) {
    const compiled = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    manifest.exports[name] = { types: `${compiled}.d.ts`, default: `${compiled}.js` }
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Compiles the package in `folder` and those it depends on; the server takes the web page along. */
export function compile(folder: string): void {
  if (existsSync(`${folder}/tsconfig.json`)) {
    execFileSync(process.execPath, [`${root}node_modules/typescript-native/bin/tsc`, '-b', folder], {
      stdio: 'inherit',
    })
  }
  removeOrphans(folder)
  if (basename(folder) !== 'server') return
  execFileSync(process.execPath, [`${root}packages/web/scripts/build-if-changed.mjs`], { stdio: 'inherit' })
  rmSync(`${folder}/dist/web`, { recursive: true, force: true })
  cpSync(`${root}packages/web/dist`, `${folder}/dist/web`, { recursive: true })
}

/** Removes what was compiled from sources that are no longer there; the compiler leaves it behind. */
function removeOrphans(folder: string): void {
  for (const file of globSync('dist/**/*.{js,js.map,d.ts}', { cwd: folder })) {
    const source = file.replace(/^dist/, 'src').replace(/\.(js|js\.map|d\.ts)$/, '')
    const written = [`${source}.ts`, `${source}.tsx`].some((path) => existsSync(`${folder}/${path}`))
    if (!written && !/^dist[\\/]web[\\/]/.test(file)) rmSync(`${folder}/${file}`)
  }
}

if (import.meta.main && process.argv[2] === 'dist') {
  compile(process.cwd())
  // A pack that failed half-way has left the source manifest behind; it must not be overwritten.
  if (!existsSync(kept)) copyFileSync('package.json', kept)
  copyFileSync(`${root}LICENSE`, 'LICENSE')
  writeFileSync('package.json', publishedManifest(readFileSync(kept, 'utf8')))
} else if (import.meta.main && process.argv[2] === 'src') {
  copyFileSync(kept, 'package.json')
  rmSync(kept)
  rmSync('LICENSE')
}
