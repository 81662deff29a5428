// Builds the bundle unless it was built from exactly these sources. It is built beside its place and then moved there, so
// that a server, or another build at the same time, never sees half of one.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.sources')

/** Hash of everything the bundle is made of, the versions of its libraries included. */
function sources() {
  const files = globSync(['src/**/*', 'public/*', 'index.html', 'vite.config.ts', '../../package-lock.json'], {
    cwd: root,
  })
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const path = join(root, file)
    if (/\.test\.ts$|[\\/]testing[\\/]/.test(file) || !statSync(path).isFile()) continue
    hash.update(file).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** What the stamp says; nothing when there is no bundle yet. */
function built() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return ''
  }
}

const wanted = sources()
if (built() !== wanted) {
  const { build } = await import('vite')
  const outDir = join(root, `dist-${process.pid}`)
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  writeFileSync(join(outDir, '.sources'), wanted)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  try {
    renameSync(outDir, join(root, 'dist'))
  } catch (error) {
    // Another build was quicker; the same sources give the same bundle.
    rmSync(outDir, { recursive: true, force: true })
    if (built() !== wanted) throw error
  }
}
