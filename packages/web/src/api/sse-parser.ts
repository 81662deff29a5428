/** One server-sent event. */
export interface ServerEvent {
  id: string
  event: string
  data: string
}

/**
 * Reads server-sent events from chunks of text. The browser's own EventSource cannot send a token, so the page reads
 * the stream with `fetch`.
 *
 * @example
 * const parser = new SseParser((event) => console.log(event.id, event.data))
 * parser.push('id: 7\ndata: {"le')
 * parser.push('vel":1}\n\n')
 */
export class SseParser {
  private readonly emit: (event: ServerEvent) => void
  private rest = ''
  private id = ''
  private event = ''
  private data: string[] = []

  constructor(emit: (event: ServerEvent) => void) {
    this.emit = emit
  }

  push(chunk: string): void {
    const text = this.rest + chunk
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', start)
      if (end < 0) break
      this.line(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end))
      start = end + 1
    }
    this.rest = text.slice(start)
  }

  private line(line: string): void {
    if (line === '') {
      if (this.data.length > 0) this.emit({ id: this.id, event: this.event || 'message', data: this.data.join('\n') })
      this.event = ''
      this.data = []
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.data.push(value)
    else if (field === 'event') this.event = value
    else if (field === 'id') this.id = value
  }
}
