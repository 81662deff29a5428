// What goes with a release: the bill of materials (CycloneDX) and the licences of everything that the packages bring
// along. node scripts/release-papers.ts FOLDER
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A package that is installed with ours. */
interface Dependency {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The text of its licence; '' where it ships none. */
  readonly text: string
}

/** Every package outside this repository that is needed at run time, by name and version. */
export function dependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  type Entry = Partial<Record<'dev' | 'link' | 'optional' | 'devOptional', boolean>> & {
    version: string
    license?: string
  }
  const needed = ({ dev, link, optional, devOptional }: Entry) => !(dev || link || optional || devOptional)
  return Object.entries<Entry>(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && needed(entry))
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'unknown',
      text: licenceText(join(root, path)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name))
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
}

/** All licences as one text. */
export function licences(all: readonly Dependency[]): string {
  const head = `pb-oel is under the MIT licence. It brings along ${all.length} packages of others:\n`
  const list = all.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).join('\n')
  const texts = all.map(
    ({ name, version, text }) => `==== ${name} ${version}\n\n${text || 'The package ships no text.'}`,
  )
  return `${head}\n${list}\n\n${texts.join('\n\n')}\n`
}

/** The bill of materials in CycloneDX, as npm knows it. */
export function billOfMaterials(): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--loglevel=error']
  // npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32'
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, shell })
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('usage: node scripts/release-papers.ts FOLDER')
    process.exit(2)
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials())
  writeFileSync(join(folder, 'third-party-licences.txt'), licences(dependencies()))
  console.log(`${folder}: sbom.cdx.json and third-party-licences.txt`)
}
