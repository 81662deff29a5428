import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { buildAssets } from './assets.ts'
import { buildPlayground } from './build-playground.ts'
import { docsPages } from './docs-pages.ts'
import { hero, splitReadme } from './home.ts'
import { Links, relative, sourcePath } from './links.ts'
import { escaped, highlightSource, renderMarkdown } from './markdown.ts'
import type { Page } from './page.ts'
import { apiPages } from './reference/api.ts'
import { commandPage } from './reference/command-help.ts'
import { eventsPage } from './reference/events.ts'
import { httpPage } from './reference/http.ts'
import { searchIndex } from './search-index.ts'
import { htmlPage } from './template.ts'

/** What a build has made. */
export interface BuiltSite {
  pages: number
  /** Links that lead nowhere, one line each. */
  broken: readonly string[]
}

/** Builds the whole site into `out`: docs, reference, playground, search. */
export async function buildSite(root: string, out: string): Promise<BuiltSite> {
  rmSync(out, { recursive: true, force: true })
  const docs = docsPages(root)
  const reference = [await commandPage(root), await httpPage(root), eventsPage()]
  const api = await apiPages(root)
  const pages = [...docs.filter(isDoc), ...reference, ...api, ...docs.filter((page) => !isDoc(page))]
  const bySource = new Map(pages.map(({ source, path }) => [source, path]))
  for (const [source, path] of SHOWN_ELSEWHERE) bySource.set(source, path)
  const links = new Links(root, bySource)
  for (const page of pages) write(out, page.path, docPage(page, pages, links))
  write(out, 'index.html', homePage(root, pages, links))
  for (const file of links.sources) write(out, sourcePath(file), sourcePage(root, file, pages))
  for (const file of links.files) copy(join(root, file), join(out, 'files', file))
  copy(join(root, 'packages/web/public/icon.svg'), join(out, 'assets/icon.svg'))
  write(out, 'assets/search-index.js', searchIndex(pages))
  await buildAssets(join(out, 'assets'))
  await buildPlayground(join(out, 'playground'))
  return { pages: pages.length, broken: links.broken }
}

/** Files of the repository that the site shows in a better form. */
const SHOWN_ELSEWHERE = [
  ['README.md', 'index.html'],
  ['site/playground/index.html', 'playground/index.html'],
] as const

const isDoc = ({ section }: Page): boolean => section !== 'Project'

function docPage(page: Page, pages: readonly Page[], links: Links): string {
  const { path, source, markdown, title } = page
  const { html, headings } = renderMarkdown(markdown, (target) => links.address(target, source, path))
  return htmlPage({ path, title, body: html, headings, pages, kind: 'doc' })
}

function homePage(root: string, pages: readonly Page[], links: Links): string {
  const path = 'index.html'
  const { lead, rest } = splitReadme(readFileSync(join(root, 'README.md'), 'utf8'))
  const { html, headings } = renderMarkdown(rest, (target) => links.address(target, 'README.md', path))
  const picture = links.address('docs/images/live.png', 'README.md', path)
  const body = `${hero(lead, picture)}<div class="readme">${html}</div>`
  return htmlPage({ path, title: 'Real-time safety assessment', body, headings, pages, kind: 'home' })
}

function sourcePage(root: string, file: string, pages: readonly Page[]): string {
  const code = highlightSource(readFileSync(join(root, file), 'utf8'), extname(file).slice(1))
  const path = sourcePath(file)
  const back = relative(path, 'index.html')
  const body = `<p class="muted"><a href="${back}">pb-oel</a></p><h1>${escaped(file)}</h1><pre tabindex="0"><code>${code}</code></pre>`
  return htmlPage({ path, title: file, body, headings: [], pages, kind: 'source' })
}

function write(out: string, path: string, text: string): void {
  const place = join(out, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}
