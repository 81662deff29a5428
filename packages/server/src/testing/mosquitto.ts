import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MOSQUITTO } from '../../../../test/support/needs.ts'
import { freePort } from './child-server.ts'

export { MOSQUITTO }

/** A real MQTT broker that keeps its sessions in a folder. */
export class Mosquitto {
  readonly url: string
  private readonly port: number
  private readonly config: string
  private child: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.port = port
    this.url = `mqtt://127.0.0.1:${port}`
    this.config = join(folder, 'mosquitto.conf')
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'persistence true',
      `persistence_location ${folder}/`,
      'autosave_interval 1',
      'user root',
      'max_queued_messages 0',
    ]
    writeFileSync(this.config, lines.join('\n'))
  }

  static async start(folder: string): Promise<Mosquitto> {
    const broker = new Mosquitto(folder, await freePort())
    await broker.start()
    return broker
  }

  /** Starts it, also again, and waits until it listens. */
  async start(): Promise<void> {
    this.child = spawn(MOSQUITTO as string, ['-c', this.config], { stdio: 'ignore' })
    for (let i = 0; i < 200; i++) {
      if (await listens(this.port)) return
      await setTimeout(50)
    }
    throw new Error('mosquitto does not listen')
  }

  async stop(): Promise<void> {
    const { child } = this
    if (!child) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => done(false))
    socket.on('connect', () => {
      socket.destroy()
      done(true)
    })
  })
}
