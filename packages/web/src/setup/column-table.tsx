import { TableRegion } from '../forms/table-region.tsx'
import { text } from '../strings/en.ts'
import type { ColumnPreview } from '../table/columns.ts'
import { type ColumnUse, type TableFile, withUse } from '../table/table-file.ts'
import { ChannelCells, ChannelHeads } from './channel-cells.tsx'
import { change, draft, takeTable } from './draft.ts'

const words = text.create.columns
const USES: readonly ColumnUse[] = ['channel', 'level', 'time', 'left out']

/** The columns of a file: their first rows, and what each is used as. */
export function ColumnTable({ file }: { file: TableFile }) {
  const { preview, rows } = file
  return (
    <TableRegion
      label={words.region}
      caption={words.caption(rows, draft.value.channels.length)}
      head={
        <>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.first}</th>
          <th scope="col">{words.use}</th>
          <ChannelHeads />
        </>
      }
    >
      {preview.columns.map((column) => (
        <ColumnRow key={column.name} column={column} file={file} />
      ))}
    </TableRegion>
  )
}

function ColumnRow({ column: { name, cells, numeric }, file }: { column: ColumnPreview; file: TableFile }) {
  const use = file.uses[name]
  const { channels } = draft.value
  const channel = channels.find((one) => one.name === name)
  return (
    <tr class={use === 'left out' ? 'dropped' : use}>
      <th scope="row">{name}</th>
      <td class="number">{cells.join(', ')}</td>
      <td>
        <select
          aria-label={words.useOf(name)}
          value={use}
          onChange={({ currentTarget }) => takeTable(withUse(file, name, currentTarget.value as ColumnUse))}
        >
          {USES.filter((one) => numeric || one !== 'channel').map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      {channel ? (
        <ChannelCells
          channel={channel}
          onChange={(part) =>
            change({ channels: channels.map((one) => (one.name === name ? { ...one, ...part } : one)) })
          }
        />
      ) : (
        <td colSpan={3} />
      )}
    </tr>
  )
}
