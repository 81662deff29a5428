// Builds the bundle unless it was built from exactly these sources. The build happens beside its place and moves there
// at the end, so that neither a server nor another build sees half of one.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.sources')

/** Hash of everything that the bundle is made of, including the versions of its libraries. */
function sources() {
  const files = globSync(
    ['src/**/*', 'public/*', 'index.html', 'vite.config.ts', '../../package-lock.json', '../../docs/glossary.md'],
    {
      cwd: root,
    },
  )
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const path = join(root, file)
    if (/\.test\.ts$|[\\/]testing[\\/]/.test(file) || !statSync(path).isFile()) continue
    hash.update(file).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** The stamp of the bundle; empty when there is none yet. */
function built() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return ''
  }
}

const wanted = sources()
if (built() !== wanted) {
  // Tests run with another NODE_ENV, which Vite would build into a larger bundle. Their bundle must be the real one.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const outDir = join(root, `dist-${process.pid}`)
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  writeFileSync(join(outDir, '.sources'), wanted)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  try {
    renameSync(outDir, join(root, 'dist'))
  } catch (error) {
    // Another build was quicker. The same sources give the same bundle.
    rmSync(outDir, { recursive: true, force: true })
    if (built() !== wanted) throw error
  }
}
