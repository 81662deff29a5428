import { mostProbable } from '../fold/most-probable.ts'
import { levelTold } from '../fold/tally.ts'
import type { ExportedSample } from './exported-sample.ts'

/** What a column holds. */
export type ColumnType = 'time' | 'number' | 'text' | 'flag'

/** A value of a column: times are milliseconds since 1970. */
export type Cell = number | string | boolean | undefined

/** One column of an export. */
export interface Column {
  name: string
  type: ColumnType
  of: (row: ExportedSample) => Cell
}

/**
 * The columns of an export: `time` (the sensor's clock where it was sent, otherwise arrival), the channels by name, and
 * `level`, the name of the true level where an answer tells it. With details: what was assessed, who answered, and
 * whether the sample is excluded. Without them nothing marks an excluded sample, so it has no level: whoever learns
 * from the file does not learn from it.
 */
export function exportColumns(channels: readonly string[], levels: readonly string[], detail: boolean): Column[] {
  const own: Column[] = [
    { name: 'time', type: 'time', of: ({ time, sample }) => sample.at ?? time },
    {
      name: 'level',
      type: 'text',
      of: (row) => (row.excluded && !detail ? undefined : levels[toldLevel(row, levels.length) ?? -1]),
    },
    ...(detail ? details(levels) : []),
  ]
  const taken = new Set(own.map(({ name }) => name))
  const values = channels.map((channel, i): Column => {
    return { name: freeName(channel, taken), type: 'number', of: ({ sample }) => sample.values[i] }
  })
  const [time, level, ...rest] = own
  // Readers of labelled files take the last column for the label.
  return [time, ...rest, ...values, level]
}

function details(levels: readonly string[]): Column[] {
  return [
    { name: 'arrival', type: 'time', of: ({ time }) => time },
    { name: 'assessment', type: 'number', of: ({ assessment }) => assessment.assessment },
    { name: 'assessed', type: 'text', of: ({ assessment }) => levels[assessment.level] },
    { name: 'likely', type: 'text', of: ({ assessment }) => levels[mostProbable(assessment.probabilities)] },
    { name: 'safeSide', type: 'text', of: ({ assessment }) => levels[assessment.safeSide ?? -1] },
    { name: 'confidence', type: 'number', of: ({ assessment }) => assessment.confidence },
    { name: 'trained', type: 'flag', of: ({ assessment }) => assessment.trained ?? true },
    { name: 'degraded', type: 'text', of: ({ sample }) => sample.degraded?.join(' ') },
    { name: 'excluded', type: 'flag', of: ({ excluded }) => excluded },
    { name: 'answer', type: 'text', of: ({ answer }) => answer?.kind },
    { name: 'by', type: 'text', of: ({ answer }) => answer?.by },
  ]
}

/** The true level, where an answer tells it. */
function toldLevel({ assessment, answer }: ExportedSample, levels: number): number | undefined {
  return answer && levelTold(assessment.level, levels, answer)
}

/** The name of a channel; one that is the name of another column says so. */
function freeName(channel: string, taken: ReadonlySet<string>): string {
  return taken.has(channel) ? `${channel} (channel)` : channel
}
