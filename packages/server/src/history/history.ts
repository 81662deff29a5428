/** Samples of the past with their times and labels, to be taken into a system. */
export interface History {
  /** Names the content and how it is read: the same history has the same name, and no other has it. */
  readonly name: string
  /** Names of the channels, in the order of the numbers of a row. */
  readonly channels: readonly string[]
  /** Names of the levels, safest first. */
  readonly levels: readonly string[]
  /** Number of rows. */
  readonly rows: number
  /** The rows in the order of their times. Each may be overwritten by the next. */
  read(): Iterable<HistoryRow>
}

/** One row of a history. */
export interface HistoryRow {
  /** One number per channel; NaN where there is none. */
  readonly x: Float64Array
  /** The true level; −1 where nobody knows it. */
  readonly level: number
  /** Milliseconds since 1970. */
  readonly time: number
}

/** How an import is watched. */
export interface ImportWatch {
  /** Called now and then with the number of rows that are on disk. */
  onProgress?(done: number, total: number): void
  /**
   * Ends the import early, with the signal's reason as error. What is on disk stays, and the next call goes on there.
   */
  signal?: AbortSignal
}

/** What an import did. */
export interface ImportReport {
  system: string
  /** Whether the system was made by it. */
  created: boolean
  /** Rows of the history. */
  rows: number
  /** Rows that were there already, from an earlier call. */
  resumedAt: number
  /** Rows that this call wrote. */
  imported: number
  /** Labels among them. */
  labels: number
  /** SHA-256 of the state afterwards; equal hashes, equal futures. Only where the store is at hand. */
  stateHash?: string
}

/** The key of a row's sample or answer. */
export function rowKey(history: string, row: number, part: 'sample' | 'answer'): string {
  return `import-${history}-${row}-${part}`
}

/** The row and part that a key of this history stands for. */
export function rowOfKey(history: string, key: string | undefined): { row: number; part: string } | undefined {
  const [, row, part] = key?.startsWith(`import-${history}-`) ? (key.match(/-(\d+)-(sample|answer)$/) ?? []) : []
  return row === undefined ? undefined : { row: Number(row), part }
}

/** Where each channel of a system is in a row; tells which is missing. */
export function placesOf(channels: readonly string[], history: readonly string[]): number[] | { missing: string } {
  const places = channels.map((name) => history.indexOf(name))
  const missing = places.indexOf(-1)
  return missing < 0 ? places : { missing: channels[missing] }
}
