import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where downloads and finished results are kept: `PB_OEL_CACHE`, or `pb-oel` in the user's cache folder
 * (`XDG_CACHE_HOME`, `LOCALAPPDATA` on Windows, `~/.cache`).
 */
export function cacheFolder(): string {
  const { PB_OEL_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  return PB_OEL_CACHE || join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'pb-oel')
}
