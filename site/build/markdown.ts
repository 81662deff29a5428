import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import MarkdownIt from 'markdown-it'

hljs.registerLanguage('typescript', typescript)
hljs.registerLanguage('bash', bash)
hljs.registerLanguage('json', json)
hljs.registerLanguage('python', python)
hljs.registerLanguage('java', java)
hljs.registerAliases(['ts', 'js', 'mjs'], { languageName: 'typescript' })
hljs.registerAliases(['sh', 'shell', 'console'], { languageName: 'bash' })

/** A heading of a page. */
export interface Heading {
  level: number
  text: string
  anchor: string
}

/** Markdown as HTML, with the headings it has. */
export interface Rendered {
  html: string
  headings: Heading[]
}

const markdown = new MarkdownIt({
  html: true,
  highlight: (code, language) => (hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : ''),
})
// Tables may be wider than a phone; they scroll on their own, by keyboard too.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

/** GitHub's anchor of a heading, so that links within docs/ work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** @param link gives the address of a link or an image, as it stands in the Markdown */
export function renderMarkdown(text: string, link: (target: string) => string): Rendered {
  const tokens = markdown.parse(text, {})
  const headings: Heading[] = []
  const used = new Map<string, number>()
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const words = plain(tokens[i + 1].children ?? [])
      const anchor = unique(anchorOf(words), used)
      token.attrSet('id', anchor)
      headings.push({ level: Number(token.tag.slice(1)), text: words, anchor })
    }
    for (const child of token.children ?? []) {
      for (const name of ['href', 'src']) {
        const target = child.attrGet(name)
        if (target) child.attrSet(name, link(target))
      }
      if (child.type === 'image') child.attrSet('loading', 'lazy')
    }
  }
  const html = markdown.renderer.render(tokens, markdown.options, {})
  // Code may be wider than a phone; it scrolls on its own, by keyboard too.
  const reachable = html.replaceAll('<pre>', '<pre tabindex="0">')
  // A heading without words is none.
  return { html: reachable.replaceAll('<th></th>', '<td></td>'), headings }
}

const plain = (tokens: readonly { content: string; type: string }[]): string =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')

function unique(anchor: string, used: Map<string, number>): string {
  const times = used.get(anchor) ?? 0
  used.set(anchor, times + 1)
  return times === 0 ? anchor : `${anchor}-${times}`
}

/** A source file as coloured HTML. */
export function highlightSource(code: string, extension: string): string {
  const language = {
    ts: 'typescript',
    tsx: 'typescript',
    mjs: 'typescript',
    js: 'typescript',
    json: 'json',
    py: 'python',
    sh: 'bash',
  }[extension]
  return language ? hljs.highlight(code, { language }).value : markdown.utils.escapeHtml(code)
}

/** Text for HTML. */
export const escaped = (text: string): string => markdown.utils.escapeHtml(text)
