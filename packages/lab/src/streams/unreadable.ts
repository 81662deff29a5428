/** Why a file cannot be read, by the code of the operating system. */
export function unreadable(code: string | undefined): string {
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EISDIR') return 'is a folder; expected a file'
  return `cannot be read (${code})`
}
