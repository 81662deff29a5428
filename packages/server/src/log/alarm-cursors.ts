/** What the names of the cursors of a system begin with: how far each receiver of its alarms has come. */
export function cursorsOf(system: string): string {
  return `alarms of ${system} to `
}
