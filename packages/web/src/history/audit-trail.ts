import type { LogPage, LogRecord } from '@pb-oel/protocol'
import { computed, signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import { announce } from '../chrome/announcer.tsx'
import { changeQuery, query } from '../router.ts'
import { text } from '../strings/en.ts'
import { who } from './describe-record.ts'
import { toCsv, toJsonLines } from './export-records.ts'

/** The kinds of records that people look for. Samples and assessments are on the charts. */
export const KINDS = [
  'feedback',
  'correction',
  'second-opinion',
  'abstention',
  'stretch',
  'withdrawal',
  'comment',
  'assignment',
  'alarm',
  'acknowledgement',
  'alarm-action',
  'configuration',
  'channel',
  'level',
  'exclusion',
  'clock',
  'created',
  'compaction',
] as const

const words = text.history
const PAGE = 100
const EXPORT_PAGE = 1000
/** Records that an export holds at most. */
const MOST = 50_000

/** The records of one system that match a filter, newest first, page by page. */
export class AuditTrail {
  /** The filters stand in the address, so that they can be linked to. */
  readonly kinds = computed<readonly string[]>(() => {
    const { kinds } = query.value
    return kinds === undefined ? KINDS : KINDS.filter((kind) => kinds.split(',').includes(kind))
  })
  readonly person = computed(() => query.value.who ?? '')
  readonly records = signal<LogRecord[]>([])
  /** Where the next older page ends; `undefined` at the beginning of the log. */
  readonly next = signal<number | undefined>(undefined)
  readonly problem = signal('')
  /** How far an export is. */
  readonly exporting = signal('')
  private readonly system: string

  constructor(system: string) {
    this.system = system
  }

  /** Shows or hides one kind of record. */
  toggle(kind: (typeof KINDS)[number]): void {
    const shown = this.kinds.peek()
    const kinds = KINDS.filter((other) => (other === kind) !== shown.includes(other))
    changeQuery({ kinds: kinds.length === KINDS.length ? undefined : kinds.join() })
  }

  /** Shows only what somebody did, while their name is typed. */
  filterBy(person: string): void {
    changeQuery({ who: person || undefined }, 'replace')
  }

  /** Reads the newest page, or adds the page of older records that ends at `to`. */
  async load(to?: number): Promise<void> {
    this.problem.value = ''
    if (this.kinds.peek().length === 0) {
      this.records.value = []
      this.next.value = undefined
      return
    }
    try {
      const { records, next } = await this.page(to, PAGE)
      this.records.value = to === undefined ? records : [...this.records.peek(), ...records]
      this.next.value = next
    } catch (error) {
      this.problem.value = words.failed((error as Error).message)
    }
  }

  /** Whether a record is one of the person's; the server has chosen by kind already. */
  readonly matches = (record: LogRecord): boolean => {
    const wanted = this.person.value.trim().toLowerCase()
    return wanted === '' || who(record).toLowerCase().includes(wanted)
  }

  /** Saves all matching records as a file. */
  async export(format: 'csv' | 'jsonl', levels: readonly string[]): Promise<void> {
    try {
      const all = await this.all()
      download(`${this.system}-log.${format}`, format === 'csv' ? toCsv(all, levels) : toJsonLines(all))
      this.exporting.value = words.exported(all.length)
      announce(this.exporting.peek())
    } catch (error) {
      this.exporting.value = words.failed((error as Error).message)
    }
  }

  private async all(): Promise<LogRecord[]> {
    const all: LogRecord[] = []
    for (let to: number | undefined; all.length < MOST; ) {
      const { records, next }: LogPage = await this.page(to, EXPORT_PAGE)
      all.push(...records.filter(this.matches))
      this.exporting.value = words.exporting(all.length)
      if (next === undefined) break
      to = next
    }
    return all
  }

  private page(to: number | undefined, limit: number): Promise<LogPage> {
    return get<LogPage>(systemPath(this.system, '/log'), {
      kinds: this.kinds.peek().join(','),
      by: this.person.peek().trim() || undefined,
      to,
      limit,
      latest: true,
    })
  }
}

function download(name: string, content: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
