/**
 * Draws what has changed, a few charts per animation frame: for at most {@link BUDGET} milliseconds, and the chart that
 * has waited longest first. The page stays responsive however much arrives, and hidden charts cost nothing.
 */

/** Something that draws itself. */
export interface Drawable {
  /** False while it is out of sight. */
  visible: boolean
  /** Least milliseconds between two drawings. Until something moves by a pixel, another drawing would look the same. */
  interval: number
  draw(): void
}

/** Milliseconds of drawing per frame. */
const BUDGET = 8
/** Milliseconds that a frame takes on a machine that keeps up. A slower one draws everything less often. */
const SMOOTH_FRAME = 20
const MOST_STRAIN = 8
/** Least milliseconds between two updates of the numbers. Nobody can read faster. */
const TEXT_INTERVAL = 200

const watching = new Set<Drawable>()
const waiting = new Map<Drawable, number>()
const texts = new Set<() => void>()
let lastText = 0
let lastFrame = 0
let frameTime = SMOOTH_FRAME
let requested = false

/** Asks for a drawable to be drawn soon. */
export function invalidate(drawable: Drawable): void {
  if (!waiting.has(drawable)) waiting.set(drawable, drawn.get(drawable) ?? 0)
  request()
}

/** Asks for a function that updates numbers to be called soon. */
export function publish(update: () => void): void {
  texts.add(update)
  request()
}

/** Draws a drawable now and after every {@link invalidateAll}. Returns the function that ends this. */
export function watch(drawable: Drawable): () => void {
  watching.add(drawable)
  invalidate(drawable)
  return () => {
    watching.delete(drawable)
    waiting.delete(drawable)
  }
}

/** Asks for everything that is watched to be drawn soon, as there is new data. */
export function invalidateAll(): void {
  for (const drawable of watching) invalidate(drawable)
}

const drawn = new WeakMap<Drawable, number>()

function request(): void {
  if (requested) return
  requested = true
  requestAnimationFrame(frame)
}

function frame(now: number): void {
  requested = false
  if (texts.size > 0 && now - lastText >= TEXT_INTERVAL) {
    lastText = now
    const updates = [...texts]
    texts.clear()
    for (const update of updates) update()
  }
  // A long pause between two frames says nothing about the speed of the machine.
  const passed = now - lastFrame
  if (passed < 500) frameTime += 0.1 * (passed - frameTime)
  lastFrame = now
  const strain = Math.min(MOST_STRAIN, Math.max(1, (frameTime / SMOOTH_FRAME) ** 2))
  const start = performance.now()
  const due = [...waiting]
    .filter(([drawable, last]) => drawable.visible && now - last >= strain * drawable.interval)
    .sort((a, b) => a[1] - b[1])
  for (const [drawable] of due) {
    waiting.delete(drawable)
    drawn.set(drawable, now)
    drawable.draw()
    if (performance.now() - start > BUDGET) break
  }
  const more = texts.size > 0 || [...waiting.keys()].some(({ visible }) => visible)
  if (more) request()
}
