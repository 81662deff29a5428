interface Engine {
  console?: { warn(text: string): void }
}

let said = false

/**
 * Warns, once, that the engine has WebAssembly but was told not to compile it. A page says so by a
 * Content-Security-Policy whose `script-src` lacks `'wasm-unsafe-eval'`. Results stay the same; time does not.
 */
export function warnOfRefusal(): void {
  if (said) return
  said = true
  ;(globalThis as unknown as Engine).console?.warn(
    "pb-oel: the Content-Security-Policy lacks 'wasm-unsafe-eval', so the slower TypeScript kernel runs, with the same bits",
  )
}
