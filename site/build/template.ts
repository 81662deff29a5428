import { relative } from './links.ts'
import { escaped, type Heading } from './markdown.ts'
import type { Page } from './page.ts'

/** What stands around the text of a page. */
export interface Frame {
  path: string
  title: string
  body: string
  headings: readonly Heading[]
  pages: readonly Page[]
  kind: 'doc' | 'home' | 'source'
}

/** Sets the theme before anything is drawn, so that a dark page does not flash white. */
const THEME = `(function(){var t;try{t=localStorage.getItem('pb-oel:theme')}catch(e){}
document.documentElement.dataset.theme=t||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light')})()`

/** A whole page. Every address is relative: the site works in any folder, and from disk. */
export function htmlPage({ path, title, body, headings, pages, kind }: Frame): string {
  const to = (target: string) => relative(path, target)
  const root = relative(path, 'x').slice(0, -1)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · pb-oel</title>
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script>${THEME}</script>
<script defer src="${to('assets/site.js')}" data-root="${root}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">To the text</a>
<header class="top">
<a class="product" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" width="26" height="26" alt=""> pb-oel</a>
<div class="search"><label class="visually-hidden" for="search">Search the docs</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false"
aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Found" hidden></ul></div>
<nav class="main" aria-label="Main"><a href="${to('tutorial.html')}">Tutorial</a>
<a href="${to('options.html')}">Reference</a><a href="${to('playground/index.html')}">Playground</a></nav>
<button type="button" class="ghost" id="theme" aria-label="Turn the theme"><svg class="icon" width="16" height="16"
viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2a6 6 0 1 0 0 12ZM8 2a6 6 0 0 1 0 12"/></svg></button>
</header>
<div class="page">
${kind === 'home' ? '' : sideNavigation(path, pages)}
<main id="content" tabindex="-1">
<article>${body}</article>
</main>
${kind === 'doc' ? onThisPage(headings) : ''}
</div>
</body>
</html>
`
}

function sideNavigation(path: string, pages: readonly Page[]): string {
  const sections = Map.groupBy(
    pages.filter(({ section }) => section !== ''),
    ({ section }) => section,
  )
  const lists = [...sections].map(([section, members]) => {
    const links = members.map((page) => {
      const current = page.path === path ? ' aria-current="page"' : ''
      return `<li><a href="${relative(path, page.path)}"${current}>${escaped(page.title)}</a></li>`
    })
    return `<h2>${section}</h2><ul>${links.join('')}</ul>`
  })
  return `<nav class="side" aria-label="Pages"><details open><summary>All pages</summary>${lists.join('')}</details></nav>`
}

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const links = shown
    .slice(0, 60)
    .map(({ level, text, anchor }) => `<li class="of-${level}"><a href="#${anchor}">${escaped(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`
}
