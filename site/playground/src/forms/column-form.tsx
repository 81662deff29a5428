import { Field } from '../../../../packages/web/src/forms/field.tsx'
import type { ColumnPreview } from '../../../../packages/web/src/table/columns.ts'
import type { FileColumns, MissingRule } from '../settings/settings.ts'
import { change, preview, settings } from '../state.ts'

type Role = 'channel' | 'level' | 'dropped'

const MISSING: readonly (readonly [MissingRule, string])[] = [
  ['last', 'Repeat the last value'],
  ['mean', 'Take the mean so far'],
  ['error', 'Refuse the file'],
]

/** What each column of the file means. */
export function ColumnForm() {
  const columns = settings.value.file
  if (!columns || !preview.value) return null
  const channels = preview.value.columns.length - 1 - columns.dropped.length
  return (
    <>
      <fieldset class="columns-scroll" aria-label="Columns of the file">
        <table class="columns">
          <caption>
            {channels} {channels === 1 ? 'channel' : 'channels'}, level in “{columns.level}”
            {columns.dropped.length > 0 && `, ${columns.dropped.length} left out`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First values</th>
              <th scope="col">Use as</th>
            </tr>
          </thead>
          <tbody>
            {levelFirst(preview.value.columns, columns.level).map((column) => (
              <ColumnRow key={column.name} column={column} columns={columns} />
            ))}
          </tbody>
        </table>
      </fieldset>
      <Field label="Missing values">
        {(id) => (
          <select
            id={id}
            value={columns.missing}
            onChange={({ currentTarget }) =>
              change({ file: { ...columns, missing: currentTarget.value as MissingRule } })
            }
          >
            {MISSING.map(([rule, text]) => (
              <option key={rule} value={rule}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

/** The level on top, where it is seen without scrolling. */
const levelFirst = (columns: readonly ColumnPreview[], level: string): ColumnPreview[] =>
  columns.toSorted((a, b) => Number(b.name === level) - Number(a.name === level))

function ColumnRow({ column, columns }: { column: ColumnPreview; columns: FileColumns }) {
  const { name, cells, numeric } = column
  const role: Role = name === columns.level ? 'level' : columns.dropped.includes(name) ? 'dropped' : 'channel'
  return (
    <tr class={role}>
      <th scope="row">{name}</th>
      <td class="number">{cells.slice(0, 2).join(', ')}</td>
      <td>
        <select
          aria-label={`Use ${name} as`}
          value={role}
          onChange={({ currentTarget }) => change({ file: withRole(columns, name, currentTarget.value as Role) })}
        >
          {numeric && <option value="channel">channel</option>}
          <option value="level">level</option>
          <option value="dropped" disabled={role === 'level'}>
            left out
          </option>
        </select>
      </td>
    </tr>
  )
}

/** The former level becomes a channel when its values are numbers, else it is left out. */
function withRole(columns: FileColumns, name: string, role: Role): FileColumns {
  const others = columns.dropped.filter((dropped) => dropped !== name)
  if (role === 'dropped') return { ...columns, dropped: [...others, name] }
  if (role === 'channel') return { ...columns, dropped: others }
  const former = preview.value?.columns.find((column) => column.name === columns.level)
  const dropped = former && !former.numeric && former.name !== name ? [...others, former.name] : others
  return { ...columns, level: name, dropped }
}
