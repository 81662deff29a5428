import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application, type ProjectReflection } from 'typedoc'
import { type Page, titleOf } from '../page.ts'

const PACKAGES = ['core', 'protocol', 'lab', 'server']

/** The pages of the API, from the sources' own documentation, one for each name that a package exports. */
export async function apiPages(root: string): Promise<Page[]> {
  const entries = PACKAGES.flatMap((name) => entryPoints(root, name))
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-api-'))
  try {
    const app = await Application.bootstrapWithPlugins({
      entryPoints: entries.map(({ file }) => file),
      tsconfig: join(root, 'site/api.tsconfig.json'),
      plugin: ['typedoc-plugin-markdown'],
      readme: 'none',
      disableSources: true,
      skipErrorChecking: true,
      logLevel: 'Error',
      excludePrivate: true,
      excludeInternal: true,
      ...({ router: 'member', hidePageHeader: true, hideBreadcrumbs: true, entryFileName: 'index' } as object),
    })
    const project = await app.convert()
    if (!project) throw new Error('TypeDoc could not read the sources')
    nameModules(project, root, entries)
    await app.generateDocs(project, folder)
    return globSync('**/*.md', { cwd: folder })
      .sort()
      .map((file) => apiPage(folder, file.replaceAll('\\', '/')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface EntryPoint {
  name: string
  file: string
}

/** The sources behind a package's exports. */
function entryPoints(root: string, name: string): EntryPoint[] {
  const folder = join(root, 'packages', name)
  if (!existsSync(folder)) return []
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries<string>(manifest.exports).map(([path, file]) => ({
    name: manifest.name + path.slice(1),
    file: join(folder, file),
  }))
}

/** TypeDoc names modules after their files; readers know them by what they import. */
function nameModules(project: ProjectReflection, root: string, entries: readonly EntryPoint[]): void {
  if (entries.length === 1) return
  for (const module of project.children ?? []) {
    const [place] = project.getSymbolIdFromReflection(module)?.fileName
      ? [project.getSymbolIdFromReflection(module)?.fileName]
      : []
    const entry = entries.find(({ file }) => file === place || join(root, String(place)) === file)
    if (entry) module.name = entry.name
  }
}

function apiPage(folder: string, file: string): Page {
  const markdown = readFileSync(join(folder, file), 'utf8')
  const isIndex = /^(@pb-oel\/[^/]+(\/[a-z-]+)?\/)?index\.md$/.test(file)
  return {
    path: `reference/api/${file.replace(/\.md$/, '.html')}`,
    source: `reference/api/${file}`,
    markdown: file === 'index.md' ? markdown.replace(/^# .*$/m, '# API') : markdown,
    title: file === 'index.md' ? 'API' : titleOf(markdown, file).replace(/^\w+( \w+)?: /, ''),
    section: isIndex ? 'API' : '',
    search: 'beginning',
  }
}
