// In the repository a package's exports name its TypeScript sources, which Node runs directly. A published package must
// name compiled files: `dist` rewrites package.json so just before packing, `src` puts it back just after.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const kept = 'package.json.source'
if (process.argv[2] === 'dist') {
  copyFileSync('package.json', kept)
  copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE')
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const [name, source] of Object.entries(manifest.exports ?? {})) {
    const compiled = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    manifest.exports[name] = { types: `${compiled}.d.ts`, default: `${compiled}.js` }
  }
  delete manifest.scripts
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
} else {
  copyFileSync(kept, 'package.json')
  rmSync(kept)
  rmSync('LICENSE')
}
