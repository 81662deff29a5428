import type uPlot from 'uplot'

/** Pixels between the pointer and the words. */
const AWAY = 14

let box: HTMLElement | undefined
let owner: uPlot | undefined

/**
 * Words beside the pointer while it is over a chart. Charts that only share the cross-hair stay silent.
 *
 * @param words what to say at an index of the data; nothing where it returns an empty text
 */
export function tooltip(words: (plot: uPlot, index: number) => string): uPlot.Plugin {
  return {
    hooks: {
      setCursor: (plot) => {
        const { idx, left = -1, event } = plot.cursor
        const pointer = event as MouseEvent | null | undefined
        const text = pointer && left >= 0 && idx !== null && idx !== undefined ? words(plot, idx) : ''
        if (text !== '' && pointer) show(plot, text, pointer)
        else hide(plot)
      },
      destroy: hide,
    },
  }
}

function show(plot: uPlot, text: string, { clientX, clientY }: MouseEvent): void {
  box ??= document.body.appendChild(Object.assign(document.createElement('div'), { className: 'tooltip' }))
  // Screen readers hear the label of the chart; the pointer is for people who see it.
  box.ariaHidden = 'true'
  owner = plot
  if (box.textContent !== text) box.textContent = text
  box.hidden = false
  const { offsetWidth, offsetHeight } = box
  const right = clientX + AWAY + offsetWidth < innerWidth
  const x = right ? clientX + AWAY : Math.max(0, clientX - AWAY - offsetWidth)
  const y = Math.min(clientY + AWAY, innerHeight - offsetHeight - 4)
  box.style.transform = `translate(${Math.round(x)}px, ${Math.round(Math.max(0, y))}px)`
}

function hide(plot: uPlot): void {
  if (!box || owner !== plot) return
  box.hidden = true
  owner = undefined
}
