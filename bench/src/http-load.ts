import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/**
 * A kept-alive connection that posts one JSON document after the other; lean, so that the client is not what is
 * measured.
 */
export class PostConnection {
  private readonly socket: Socket
  private readonly head: string
  private received = ''
  private answer: ((body: string) => void) | undefined
  private fail: ((error: Error) => void) | undefined

  constructor(url: string) {
    const { hostname, port, host } = new URL(url)
    this.head = ` HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: `
    this.socket = connect(Number(port), hostname)
    this.socket.setNoDelay(true)
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => this.receive(text))
    this.socket.on('error', (error) => this.fail?.(error))
  }

  /** Posts and resolves with the answer's body; rejects unless the status is 200. */
  post(path: string, body: string): Promise<string> {
    return new Promise((done, fail) => {
      this.answer = done
      this.fail = fail
      this.socket.write(`POST ${path}${this.head}${body.length}\r\n\r\n${body}`)
    })
  }

  close(): void {
    this.socket.destroy()
  }

  private receive(text: string): void {
    this.received += text
    const end = this.received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(this.received.match(/content-length: (\d+)/i)?.[1])
    if (this.received.length < end + 4 + length) return
    const body = this.received.slice(end + 4, end + 4 + length)
    const ok = this.received.startsWith('HTTP/1.1 200')
    this.received = ''
    if (ok) this.answer?.(body)
    else this.fail?.(new Error(body))
  }
}

/** A client that reads events and only counts their bytes. */
export class EventReader {
  private readonly socket: Socket
  private bytes = 0

  constructor(url: string, path: string) {
    const { hostname, port, host } = new URL(url)
    this.socket = connect(Number(port), hostname)
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
    this.socket.on('data', (chunk) => (this.bytes += chunk.length))
  }

  /** Ends and tells how many bytes came. */
  close(): number {
    this.socket.destroy()
    return this.bytes
  }
}

/** A request whose body is a stream of lines and whose answer is one too. */
export class LineStream {
  private readonly call: ClientRequest
  /** Resolves when the answer has ended. */
  readonly ended: Promise<void>

  /** @param onLine called with every line of the answer */
  constructor(url: string, path: string, onLine: (line: string) => void) {
    this.call = request(new URL(path, url), { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } })
    this.ended = new Promise((done, fail) => {
      this.call.on('error', fail)
      this.call.on('response', (response: IncomingMessage) => {
        let rest = ''
        response.setEncoding('latin1')
        response.on('data', (text: string) => {
          const lines = (rest + text).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) onLine(line)
        })
        response.on('end', done)
        response.on('error', fail)
      })
    })
  }

  /** Sends lines; resolves when more may follow. */
  async send(lines: string): Promise<void> {
    if (!this.call.write(lines)) await new Promise((done) => this.call.once('drain', done))
  }

  end(): void {
    this.call.end()
  }
}
