/** Thrown where the work stops because of Ctrl-C. */
export class Interrupted extends Error {}

/** A signal that aborts on the first Ctrl-C; a second one ends the process at once. */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort(new Interrupted('stopped by Ctrl-C'))
    process.once('SIGINT', () => process.exit(130))
  })
  return controller.signal
}
