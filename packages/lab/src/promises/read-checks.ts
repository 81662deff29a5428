import type { Check } from '@pb-oel/core'
import { DataError } from '../errors.ts'
import { parseCsv } from '../streams/csv.ts'

/**
 * Reads random checks from CSV text: a head that names the columns `probability` and `right`, in any order and among
 * others, then one row per check, with 1 or 0 (or true or false) in `right`.
 *
 * @param source name of the file, for messages
 *
 * @example
 * import { readChecks } from '@pb-oel/lab'
 * readChecks('probability,right\n0.05,1\n0.05,0\n', 'checks.csv').length // 2
 */
export function readChecks(text: string, source: string): Check[] {
  const checks: Check[] = []
  let columns: [probability: number, right: number] | undefined
  parseCsv(text, source, (fields, line) => {
    const cells = fields.map((field) => field.trim())
    if (!columns) columns = [column(cells, 'probability', source), column(cells, 'right', source)]
    else checks.push(readCheck(cells, columns, `line ${line}`, source))
  })
  if (!columns)
    throw new DataError(source, 'the file is empty; expected a head "probability,right" and one row per check')
  return checks
}

function column(head: readonly string[], name: string, source: string): number {
  const at = head.indexOf(name)
  if (at >= 0) return at
  throw new DataError(
    source,
    `line 1: there is no column "${name}", only ${head.map((cell) => `"${cell}"`).join(', ')}`,
  )
}

const RIGHT: Readonly<Record<string, boolean>> = { '1': true, '0': false, true: true, false: false }

function readCheck(cells: readonly string[], columns: readonly [number, number], place: string, source: string): Check {
  const probability = Number(cells[columns[0]])
  if (!(cells[columns[0]] && probability > 0 && probability <= 1)) {
    throw new DataError(source, `${place}: probability is "${cells[columns[0]] ?? ''}"; it must be a number in (0, 1]`)
  }
  const right = RIGHT[cells[columns[1]]?.toLowerCase()]
  if (right === undefined)
    throw new DataError(source, `${place}: right is "${cells[columns[1]] ?? ''}"; it must be 1 or 0`)
  return { probability, right }
}
