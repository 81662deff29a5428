import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connectNats } from '../log/nats/connection.ts'
import { freePort } from './child-server.ts'

const found = spawnSync('sh', ['-c', 'command -v nats-server || ls /usr/sbin/nats-server'], { encoding: 'utf8' })

/** Path of the server program; `undefined` where it is not installed, and tests that need it are skipped. */
export const NATS_SERVER = found.status === 0 ? found.stdout.trim().split('\n')[0] : undefined

/** One NATS server on loopback. */
export class NatsNode {
  readonly name: string
  readonly url: string
  private readonly config: string
  private child: ChildProcess | undefined
  private ended: Promise<unknown> = Promise.resolve()

  constructor(name: string, url: string, config: string) {
    this.name = name
    this.url = url
    this.config = config
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  start(): void {
    const child = spawn(NATS_SERVER as string, ['-c', this.config], { stdio: 'ignore' })
    this.ended = new Promise((done) => child.once('exit', done))
    this.child = child
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.ended
  }

  /** Asks it to stop, and waits. */
  async stop(): Promise<void> {
    this.child?.kill('SIGTERM')
    await this.ended
  }

  /** Cut off: connections stay open and nothing comes through in either direction. */
  freeze(): void {
    this.child?.kill('SIGSTOP')
  }

  /** Goes on after {@link freeze}. */
  thaw(): void {
    this.child?.kill('SIGCONT')
  }
}

/** Real NATS servers on loopback with JetStream. */
export class NatsCluster {
  readonly nodes: readonly NatsNode[]

  private constructor(nodes: readonly NatsNode[]) {
    this.nodes = nodes
  }

  /** Starts servers and waits until JetStream answers. */
  static async start(folder: string, size: number): Promise<NatsCluster> {
    const ports = await Promise.all(Array.from({ length: 2 * size }, freePort))
    const routes = ports.slice(size).map((port) => `nats-route://127.0.0.1:${port}`)
    const nodes = Array.from({ length: size }, (_, i) => {
      const name = `n${i + 1}`
      const file = join(folder, `${name}.conf`)
      const cluster = `cluster { name: test, listen: "127.0.0.1:${ports[size + i]}", routes: [${routes.join(', ')}] }`
      writeFileSync(
        file,
        `server_name: ${name}\nlisten: "127.0.0.1:${ports[i]}"\njetstream { store_dir: "${join(folder, name)}" }\n${size > 1 ? cluster : ''}\n`,
      )
      return new NatsNode(name, `nats://127.0.0.1:${ports[i]}`, file)
    })
    for (const node of nodes) node.start()
    const cluster = new NatsCluster(nodes)
    await cluster.ready()
    return cluster
  }

  /** Addresses of all servers. */
  get url(): string {
    return this.nodes.map(({ url }) => url).join(',')
  }

  /** Waits until JetStream takes streams with as many copies as there are servers. */
  async ready(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const { connection, jsm } = await connectNats(this.url)
        try {
          const name = `ready-${attempt}`
          await jsm.streams.add({ name, subjects: [name], num_replicas: this.nodes.length })
          await jsm.streams.delete(name)
          return
        } finally {
          await connection.close()
        }
      } catch (error) {
        if (attempt > 200) throw error
        await setTimeout(100)
      }
    }
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) node.thaw()
    await Promise.all(this.nodes.map((node) => node.kill()))
  }
}
