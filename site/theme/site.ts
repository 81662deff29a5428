import MiniSearch, { type SearchResult } from 'minisearch'
import { SEARCH_OPTIONS } from './search-options.ts'

/** Path from this page to the root of the site. */
const root = (document.currentScript as HTMLScriptElement | null)?.dataset.root ?? ''
const MOST_FOUND = 12

startTheme()
startSearch()
startCopying()
startNavigation()

function startTheme(): void {
  const page = document.documentElement
  document.getElementById('theme')?.addEventListener('click', () => {
    const next = page.dataset.theme === 'dark' ? 'light' : 'dark'
    page.dataset.theme = next
    try {
      localStorage.setItem('pb-oel:theme', next)
    } catch {
      // This browser keeps nothing; the theme lasts until the next page.
    }
  })
}

/** The index is loaded when somebody enters the field: most readers never search. */
function startSearch(): void {
  const field = document.getElementById('search') as HTMLInputElement
  const list = document.getElementById('found') as HTMLUListElement
  let index: Promise<MiniSearch> | undefined
  let chosen = -1

  const show = async () => {
    index ??= loadIndex()
    const words = field.value.trim()
    const found = words === '' ? [] : (await index).search(words).slice(0, MOST_FOUND)
    if (field.value.trim() !== words) return
    chosen = -1
    field.removeAttribute('aria-activedescendant')
    list.replaceChildren(...(found.length > 0 || words === '' ? found.map(foundItem) : [nothingFound(words)]))
    list.hidden = words === ''
    field.setAttribute('aria-expanded', String(!list.hidden))
  }
  const choose = (next: number) => {
    const items = [...list.querySelectorAll('[role=option]')]
    if (items.length === 0) return
    items[chosen]?.removeAttribute('aria-selected')
    chosen = (next + items.length) % items.length
    items[chosen].setAttribute('aria-selected', 'true')
    items[chosen].scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', items[chosen].id)
  }
  field.addEventListener('focus', () => void show())
  field.addEventListener('input', () => void show())
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') (list.children[Math.max(0, chosen)] as HTMLElement | undefined)?.click()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  const close = () => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
  }
  document.addEventListener('click', ({ target }) => {
    if (!(target as HTMLElement).closest('.search')) close()
  })
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as HTMLElement).closest('input, textarea, select')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

function loadIndex(): Promise<MiniSearch> {
  return new Promise((found, failed) => {
    const script = document.createElement('script')
    Object.assign(window, { pbOelSearch: (text: string) => found(MiniSearch.loadJSON(text, SEARCH_OPTIONS)) })
    script.src = `${root}assets/search-index.js`
    script.onerror = () => failed(new Error('the search index is not there'))
    document.head.append(script)
  })
}

function foundItem({ path, title, heading }: SearchResult, i: number): HTMLElement {
  const item = document.createElement('li')
  item.setAttribute('role', 'option')
  item.id = `found-${i}`
  const name = document.createElement('strong')
  name.textContent = heading || title
  item.append(name)
  if (heading) {
    const where = document.createElement('span')
    where.textContent = title
    item.append(where)
  }
  item.addEventListener('click', () => {
    location.href = root + path
  })
  return item
}

function nothingFound(words: string): HTMLElement {
  const item = document.createElement('li')
  item.className = 'nothing'
  item.setAttribute('role', 'option')
  item.setAttribute('aria-disabled', 'true')
  item.id = 'found-0'
  item.textContent = `Nothing found for “${words}”`
  return item
}

/** A button on every block of code. */
function startCopying(): void {
  for (const block of document.querySelectorAll('article pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').catch(() => {})
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
    frame.append(block, button)
  }
}

/** On a phone the list of pages is folded; the page in view is scrolled to where the list is long. */
function startNavigation(): void {
  const details = document.querySelector<HTMLDetailsElement>('.side details')
  if (!details) return
  const narrow = matchMedia('(max-width: 56rem)')
  const fold = () => {
    details.open = !narrow.matches
  }
  narrow.addEventListener('change', fold)
  fold()
  const side = details.parentElement as HTMLElement
  const current = details.querySelector<HTMLElement>('[aria-current]')
  if (current && !narrow.matches) side.scrollTop = current.offsetTop - side.clientHeight / 2
}
