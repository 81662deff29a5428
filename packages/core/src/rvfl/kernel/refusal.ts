interface Engine {
  console?: { warn(text: string): void }
}

const warned = new WeakSet<object>()

/**
 * Warns, once for each engine, that it has WebAssembly but was told not to compile it. A page says so by a
 * Content-Security-Policy whose `script-src` lacks `'wasm-unsafe-eval'`. Results stay the same; time does not.
 */
export function warnOfRefusal(engine: object): void {
  if (warned.has(engine)) return
  warned.add(engine)
  ;(globalThis as unknown as Engine).console?.warn(
    "pb-oel: the Content-Security-Policy lacks 'wasm-unsafe-eval', so the slower TypeScript kernel runs, with the same bits",
  )
}
