// Relative links of the Markdown files: the file must exist, and the heading where the link names one.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryFiles } from './files.ts'

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g

/** GitHub's anchor of a heading. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[`*_]/g, (mark) => (mark === '_' ? mark : ''))
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchors = (file) => [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading))

/** One line for each link that leads nowhere. */
export function brokenLinks() {
  const broken = []
  for (const file of repositoryFiles('*.md')) {
    const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '')
    for (const [, link] of text.matchAll(LINK)) {
      if (/^[a-z]+:/.test(link)) continue
      const [path, fragment] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(target)) broken.push(`${file}: ${link}: no such file`)
      else if (fragment && !anchors(target).includes(fragment)) broken.push(`${file}: ${link}: no such heading`)
    }
  }
  return broken
}
