import { signal } from '@preact/signals'

/** Whether a file hovers over the page. */
export const dragging = signal(false)

/** A file may be dropped anywhere on the page: the browser would open it otherwise. */
export function startDropping(take: (file: File) => void): void {
  const hover = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    dragging.value = over
  }
  addEventListener('dragover', hover(true))
  addEventListener('dragleave', hover(false))
  addEventListener('drop', (event) => {
    hover(false)(event)
    const file = event.dataTransfer?.files[0]
    if (file) take(file)
  })
}
