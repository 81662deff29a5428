/** Whether a method is given as the path of a module. */
export function isModule(method: string): boolean {
  return /[\\/]|\.(ts|js|mjs)$/.test(method)
}
