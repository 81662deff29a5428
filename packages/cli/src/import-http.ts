import { OptionError } from '@pb-oel/core'
import { DataError } from '@pb-oel/lab'
import { type History, type ImportReport, type ImportWatch, placesOf, rowKey, rowOfKey } from '@pb-oel/server'

/** Rows of a request. Labels are learned that many rows after their samples at most. */
const PART = 256

/** What is needed of a system to take a history into it. */
export interface RemoteSystem {
  channels: string[]
  levels: string[]
}

/** The systems of a running server. */
export class RemoteServer {
  private readonly url: string
  private readonly token: string | undefined

  /** @param token where the server asks for one; its role must allow samples and answers */
  constructor(url: string, token?: string) {
    if (!URL.canParse(url))
      throw new OptionError('--url', url, 'the address of a server, such as http://127.0.0.1:8400')
    this.url = url.replace(/\/+$/, '')
    this.token = token
  }

  /** A system; `undefined` where there is none of this name. */
  async find(system: string): Promise<RemoteSystem | undefined> {
    const response = await this.send('GET', `/v1/systems/${system}`)
    if (response.status === 404) return undefined
    const { configuration } = await this.document(response)
    return configuration
  }

  /** Makes a system. */
  async create(system: string, given: object): Promise<void> {
    await this.document(await this.send('POST', '/v1/systems', JSON.stringify({ id: system, ...given })))
  }

  /** Takes a history into a system that is there, behind what an earlier call has taken. */
  async take(
    system: string,
    found: RemoteSystem,
    history: History,
    watch: ImportWatch,
  ): Promise<Omit<ImportReport, 'created'>> {
    const places = placesOf(found.channels, history.channels)
    if (!Array.isArray(places)) throw new DataError(system, `the history has no channel ${places.missing}`)
    const resumedAt = await this.findEnd(system, history.name)
    let part: Line[] = []
    let row = -1
    let labels = 0
    for (const { x, level, time } of history.read()) {
      row++
      if (row < resumedAt) continue
      const values = places.map((place) => (Number.isNaN(x[place]) ? null : x[place]))
      const named = level < 0 ? undefined : found.levels.indexOf(history.levels[level])
      if (named !== undefined) labels++
      part.push({ row, values, at: Math.round(time), level: named })
      // Parts end at fixed rows, so that a resumed import asks for the same.
      if ((row + 1) % PART !== 0) continue
      await this.sendPart(system, history.name, part)
      part = []
      watch.onProgress?.(row + 1, history.rows)
      watch.signal?.throwIfAborted()
    }
    await this.sendPart(system, history.name, part)
    watch.onProgress?.(history.rows, history.rows)
    return { system, rows: history.rows, resumedAt, imported: history.rows - resumedAt, labels }
  }

  private async sendPart(system: string, history: string, part: readonly Line[]): Promise<void> {
    if (part.length === 0) return
    const samples = part.map(({ row, values, at, level }) => ({
      ...{ values, at, key: rowKey(history, row, 'sample') },
      ...(level !== undefined && { mode: 'full' }),
    }))
    const assessed = await this.lines(`/v1/systems/${system}/samples`, samples, part)
    const answers = part.flatMap(({ row, at, level }, i) =>
      level === undefined
        ? []
        : [{ assessment: assessed[i].assessment, kind: 'label', level, at, key: rowKey(history, row, 'answer') }],
    )
    if (answers.length > 0) await this.lines(`/v1/systems/${system}/feedback`, answers, part)
  }

  /** The first row of the part that an earlier call did not finish; keys make what is there already harmless. */
  private async findEnd(system: string, history: string): Promise<number> {
    let to = ''
    for (;;) {
      const path = `/v1/systems/${system}/log?latest=true&kinds=sample,feedback&limit=1000${to}`
      const { records } = await this.document(await this.send('GET', path))
      for (const { body } of records) {
        const found = rowOfKey(history, body.key)
        if (!found) continue
        const begun = Math.floor(found.row / PART) * PART
        return found.part === 'answer' && (found.row + 1) % PART === 0 ? found.row + 1 : begun
      }
      if (records.length < 1000) return 0
      to = `&to=${records[records.length - 1].sequence - 1}`
    }
  }

  private async lines(
    path: string,
    lines: readonly object[],
    part: readonly Line[],
  ): Promise<{ assessment: number }[]> {
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    const response = await this.send('POST', path, body, 'application/x-ndjson')
    if (!response.ok) await this.document(response)
    const answers = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const wrong = answers.findIndex((answer) => answer.status >= 400)
    if (wrong >= 0)
      throw new DataError(this.url, `row ${part[wrong].row + 1}: ${answers[wrong].detail ?? answers[wrong].title}`)
    return answers
  }

  private async send(method: string, path: string, body?: string, type = 'application/json'): Promise<Response> {
    const headers = {
      ...(body !== undefined && { 'content-type': type }),
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
    }
    return fetch(`${this.url}${path}`, { method, headers, body }).catch((error) => {
      throw new DataError(this.url, `cannot be reached (${error.cause?.code ?? error.message})`)
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the server checks what it sends
  private async document(response: Response): Promise<any> {
    // biome-ignore lint/suspicious/noExplicitAny: the server checks what it sends
    const document: any = await response.json()
    if (response.ok) return document
    throw new DataError(this.url, document.detail ?? document.title ?? `status ${response.status}`)
  }
}

interface Line {
  row: number
  values: (number | null)[]
  at: number
  level: number | undefined
}
