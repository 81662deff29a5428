// Packs every package as it would be published, from copies, so that nothing in the clone changes meanwhile:
// node scripts/pack.mjs FOLDER
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, publishedManifest } from './publish-manifest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packs all workspaces that are published into `folder`; the path of the tarball by the name of the package. */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const published = workspaces.filter((workspace) => !manifestOf(workspace).private)
  return Object.fromEntries(published.map((workspace) => pack(join(root, workspace), resolve(folder))))
}

const manifestOf = (workspace) => JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))

function pack(source, folder) {
  compile(source)
  const staged = mkdtempSync(join(tmpdir(), 'pb-oel-pack-'))
  try {
    const manifest = publishedManifest(readFileSync(join(source, 'package.json'), 'utf8'))
    const { name, files = [] } = JSON.parse(manifest)
    for (const file of files) {
      if (existsSync(join(source, file))) cpSync(join(source, file), join(staged, file), { recursive: true })
    }
    for (const file of ['README.md'].filter((file) => existsSync(join(source, file)))) {
      copyFileSync(join(source, file), join(staged, file))
    }
    copyFileSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
    writeFileSync(join(staged, 'package.json'), manifest)
    const options = { cwd: staged, encoding: 'utf8', shell: process.platform === 'win32' }
    const args = ['pack', '--silent', '--loglevel=silent', '--ignore-scripts', '--pack-destination', folder]
    return [name, join(folder, execFileSync('npm', args, options).trim())]
  } finally {
    rmSync(staged, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 3) {
    console.error('usage: node scripts/pack.mjs FOLDER')
    process.exit(2)
  }
  for (const [name, path] of Object.entries(packAll(process.argv[2]))) console.log(`${name} ${path}`)
}
