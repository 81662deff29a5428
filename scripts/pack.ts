// Packs every package as it would be published, from copies, so that nothing in the clone changes meanwhile:
// node scripts/pack.ts FOLDER
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, publishedManifest } from './publish-manifest.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packs all workspaces that are published into `folder`; the path of the tarball by the name of the package. */
export function packAll(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true })
  return Object.fromEntries(publishedWorkspaces().map((workspace) => pack(join(root, workspace), resolve(folder))))
}

/** The folders of the packages that are published, in the order in which they depend on each other. */
export function publishedWorkspaces(): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  return workspaces.filter((folder) => !JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private)
}

function pack(source: string, folder: string): [name: string, tarball: string] {
  compile(source)
  const staged = mkdtempSync(join(tmpdir(), 'pb-oel-pack-'))
  try {
    const manifest = publishedManifest(readFileSync(join(source, 'package.json'), 'utf8'))
    const { name, files = [] } = JSON.parse(manifest)
    for (const file of [...files, 'README.md']) {
      if (existsSync(join(source, file))) cpSync(join(source, file), join(staged, file), { recursive: true })
    }
    copyFileSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
    writeFileSync(join(staged, 'package.json'), manifest)
    const args = ['pack', '--silent', '--loglevel=silent', '--ignore-scripts', '--pack-destination', folder]
    // npm is a script on Windows, which only a shell starts.
    const shell = process.platform === 'win32'
    return [name, join(folder, execFileSync('npm', args, { cwd: staged, encoding: 'utf8', shell }).trim())]
  } finally {
    rmSync(staged, { recursive: true })
  }
}

if (import.meta.main) {
  if (process.argv.length !== 3) {
    console.error('usage: node scripts/pack.ts FOLDER')
    process.exit(2)
  }
  for (const [name, path] of Object.entries(packAll(process.argv[2]))) console.log(`${name} ${path}`)
}
