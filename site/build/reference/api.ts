import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application, type ProjectReflection } from 'typedoc'
import { type Page, titleOf } from '../page.ts'

const PACKAGES = ['core', 'protocol', 'lab', 'server']

/** The pages of the API, from the sources' own documentation: one for each name that a package exports. */
export async function apiPages(root: string): Promise<Page[]> {
  const entries = PACKAGES.flatMap((name) => entryPoints(root, name))
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-api-'))
  try {
    const app = await Application.bootstrapWithPlugins({
      entryPoints: entries.map(({ file }) => join(root, 'packages', file)),
      tsconfig: join(root, 'tsconfig.docs.json'),
      plugin: ['typedoc-plugin-markdown'],
      outputs: [{ name: 'markdown', path: folder }],
      readme: 'none',
      disableSources: true,
      skipErrorChecking: true,
      logLevel: 'Error',
      excludePrivate: true,
      ...({ router: 'member', hidePageHeader: true, hideBreadcrumbs: true, entryFileName: 'index' } as object),
    })
    const project = await app.convert()
    if (!project) throw new Error('TypeDoc could not read the sources')
    nameModules(project, entries)
    await app.generateOutputs(project)
    const files = globSync('**/*.md', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
    const modules = new Set(['index.md', ...entries.map(({ name }) => `${name}/index.md`)])
    const order = (file: string) => file.replace(/index\.md$/, '')
    files.sort((a, b) => (order(a) < order(b) ? -1 : 1))
    return files.map((file) => pageOf(folder, file, modules.has(file)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A source behind a package's exports, from packages/ on, and the name it is imported by. */
interface EntryPoint {
  name: string
  file: string
}

function entryPoints(root: string, name: string): EntryPoint[] {
  const manifestFile = join(root, 'packages', name, 'package.json')
  if (!existsSync(manifestFile)) return []
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  return Object.entries<string>(manifest.exports).map(([path, file]) => ({
    name: manifest.name + path.slice(1),
    file: `${name}/${file.slice(2)}`,
  }))
}

/** TypeDoc names modules after their files; readers know them by what they import. */
function nameModules(project: ProjectReflection, entries: readonly EntryPoint[]): void {
  for (const module of project.children ?? []) {
    const entry = entries.find(({ file }) => file.replace(/(\/index)?\.ts$/, '') === module.name)
    if (entry) module.name = entry.name
  }
}

function pageOf(folder: string, file: string, isModule: boolean): Page {
  const isFirst = file === 'index.md'
  const text = readFileSync(join(folder, file), 'utf8')
  const markdown = isFirst ? text.replace(/^# .*$/m, '# API') : text
  return {
    path: `reference/api/${file.replace(/\.md$/, '.html')}`,
    source: `reference/api/${file}`,
    markdown,
    title: titleOf(markdown, file).replace(/^(Class|Interface|Function|Variable|Type Alias|Enumeration): /, ''),
    section: isModule ? 'API' : '',
    search: 'beginning',
  }
}
