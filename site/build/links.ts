import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'

/** Finds out where the links of a page lead, and remembers what else the site must hold for them. */
export class Links {
  /** Pictures and other files to copy, by their path in the repository. */
  readonly files = new Set<string>()
  /** Sources to show as pages, by their path in the repository. */
  readonly sources = new Set<string>()
  readonly broken: string[] = []
  private readonly root: string
  private readonly pages: ReadonlyMap<string, string>

  /** @param pages path within the site of each Markdown source */
  constructor(root: string, pages: ReadonlyMap<string, string>) {
    this.root = root
    this.pages = pages
  }

  /** The address of `target` as it must stand in the page at `path`, made from `source`. */
  address(target: string, source: string, path: string): string {
    if (/^[a-z]+:|^#/.test(target)) return target
    const [file, fragment] = target.split('#')
    const wanted = posix.join(posix.dirname(source), decodeURI(file))
    const found = this.find(wanted.replace(/\/$/, ''))
    if (found === undefined) {
      this.broken.push(`${source}: ${target} leads nowhere`)
      return target
    }
    return relative(path, found) + (fragment ? `#${fragment}` : '')
  }

  private find(wanted: string): string | undefined {
    const page = this.pages.get(wanted) ?? this.pages.get(`${wanted}/README.md`)
    if (page) return page
    const place = posix.join(this.root, wanted)
    if (!existsSync(place)) return undefined
    if (statSync(place).isDirectory()) return 'index.html'
    if (/\.(png|svg|jpg|pdf|html)$/.test(wanted)) {
      this.files.add(wanted)
      return `files/${wanted}`
    }
    this.sources.add(wanted)
    return sourcePath(wanted)
  }
}

/** Where a source file is shown. */
export const sourcePath = (file: string): string => `source/${file}.html`

/** From one page to another, so that the site works at any address and from disk. */
export function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to)
}
