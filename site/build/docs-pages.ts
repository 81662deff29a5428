import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf } from './navigation.ts'
import { type Page, titleOf } from './page.ts'

/** Every Markdown file of docs/, in the order of the navigation, then the files of the root that readers ask for. */
export function docsPages(root: string): Page[] {
  const names = globSync('**/*.md', { cwd: join(root, 'docs') }).map((file) => file.replaceAll('\\', '/').slice(0, -3))
  const placed = names.map((name) => ({ name, ...placeOf(name) }))
  placed.sort((a, b) => a.sectionPlace - b.sectionPlace || a.place - b.place || a.name.localeCompare(b.name))
  const pages = placed.map(({ name, section }) => page(root, `docs/${name}.md`, htmlPath(name), section))
  return [...pages, ...ROOT_FILES.map(([source, path]) => page(root, source, path, 'Project'))]
}

const ROOT_FILES = [
  ['CHANGELOG.md', 'changelog.html'],
  ['CONTRIBUTING.md', 'contributing.html'],
] as const

function page(root: string, source: string, path: string, section: string): Page {
  const markdown = readFileSync(join(root, source), 'utf8')
  return { path, source, markdown, title: titleOf(markdown, path), section, search: 'sections' }
}

const htmlPath = (name: string): string => `${name.replace(/README$/, 'index')}.html`
