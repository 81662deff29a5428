import type { LogRecord } from '@pb-oel/protocol'
import { momentLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { count, moment } from '../strings/format.ts'
import { describe, who } from './describe-record.ts'

const words = text.history

interface RecordTableProps {
  records: readonly LogRecord[]
  system: string
  levels: readonly string[]
  /** The record that the view is about. */
  current?: number
}

/** Records. Each has a link to the state after it. */
export function RecordTable({ records, system, levels, current }: RecordTableProps) {
  return (
    <table class="records">
      <thead>
        <tr>
          <th scope="col">{words.columns.time}</th>
          <th scope="col">{words.columns.kind}</th>
          <th scope="col">{words.columns.who}</th>
          <th scope="col">{words.columns.details}</th>
          <th scope="col">{words.columns.record}</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.sequence} aria-current={record.sequence === current ? 'true' : undefined}>
            <td class="number">{moment(record.time)}</td>
            <td>
              <span class={`badge kind-${record.kind}`}>{words.kind[record.kind] ?? record.kind}</span>
            </td>
            <td>{who(record)}</td>
            <td class="details">{describe(record, levels)}</td>
            <td class="number">
              <a href={momentLink(system, record.sequence)} aria-label={words.state(count(record.sequence))}>
                {count(record.sequence)}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
