/** What opens over the rest of the page. Content that opens in place, such as the terms of a promise, stays open. */
const POPOVERS = 'details.chooser[open], details.person[open], details.help[open], details.popover[open]'

/** Closes popovers on Escape, and when somebody clicks or moves the focus elsewhere. */
export function startPopovers(): void {
  const closeOutside = ({ target }: Event) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>(POPOVERS)) {
      if (!(target instanceof Node && open.contains(target))) open.open = false
    }
  }
  addEventListener('pointerdown', closeOutside)
  addEventListener('focusin', closeOutside)
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const open of document.querySelectorAll<HTMLDetailsElement>(POPOVERS)) {
      const inside = open.contains(document.activeElement)
      open.open = false
      // The focus goes back to what opened it, and does not get lost with it.
      if (inside) open.querySelector('summary')?.focus()
    }
  })
  addEventListener('hashchange', () => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>(POPOVERS)) open.open = false
  })
}
