/**
 * What to do with a missing value: refuse it, repeat the channel's last value, take the mean of its values so far, or
 * keep it as NaN, which no method accepts and only `describeStream` counts.
 */
export type MissingRule = 'error' | 'last' | 'mean' | 'keep'

/** How a table is read as a stream. */
export interface TableOptions {
  /** Name of the label column; the last column when not given. */
  label?: string
  /** Default `error`. */
  missing?: MissingRule
  /** Names of columns that are left out. */
  drop?: readonly string[]
  /** Names of the columns that are channels, in this order. Default: all that are not label, time or dropped. */
  channels?: readonly string[]
  /** Name of the column with the time of each row. Rows out of order are refused, or sorted with `sort`. */
  time?: string
  /** Sort the rows by time. They must fit into memory. */
  sort?: boolean
  /**
   * The labels, safest first. Default: whole numbers by their value; text as the file declares it, or by appearance.
   */
  levels?: readonly string[]
  /** Units by channel name, or `row` where the row below the header holds them. */
  units?: Readonly<Record<string, string>> | 'row'
  /** Take rows without a label, with the level −1. Default false: they are refused. */
  unlabelled?: boolean
}
