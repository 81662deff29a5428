import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { NATS_SERVER } from '../../../../test/support/needs.ts'
import { connectNats } from '../log/nats/connection.ts'
import { freePort } from './child-server.ts'
import { NetworkNamespace } from './network-namespace.ts'

export { NATS_SERVER }

/** One NATS server on this machine. */
export class NatsNode {
  readonly name: string
  readonly url: string
  private readonly config: string
  private readonly monitor: string
  private readonly network: NetworkNamespace | undefined
  private child: ChildProcess | undefined
  private ended: Promise<unknown> = Promise.resolve()

  constructor(name: string, url: string, monitor: string, config: string, network?: NetworkNamespace) {
    this.name = name
    this.url = url
    this.monitor = monitor
    this.config = config
    this.network = network
  }

  get pid(): number {
    return this.child?.pid as number
  }

  start(): void {
    const [program, ...args] = [...(this.network?.prefix ?? []), NATS_SERVER as string, '-c', this.config]
    const child = spawn(program, args, { stdio: 'ignore' })
    this.ended = new Promise((done) => child.once('exit', done))
    this.child = child
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.ended
  }

  /**
   * Cuts it off: connections stay open and nothing comes through, in a network of its own or by stopping the process.
   */
  cutOff(): void {
    if (this.network) this.network.cut()
    else this.child?.kill('SIGSTOP')
  }

  /** Ends {@link cutOff}. */
  heal(): void {
    if (this.network) this.network.heal()
    else this.child?.kill('SIGCONT')
  }

  /** Name of the server that leads JetStream, as this one sees it. */
  async leader(): Promise<string | undefined> {
    return (await this.look('/jsz'))?.meta_cluster?.leader
  }

  private async look(path: string): Promise<{ meta_cluster?: { leader?: string } } | undefined> {
    try {
      const response = await fetch(`${this.monitor}${path}`, { signal: AbortSignal.timeout(1_000) })
      return (await response.json()) as object
    } catch {
      return undefined
    }
  }
}

/** Real NATS servers on this machine with JetStream. */
export class NatsCluster {
  readonly nodes: readonly NatsNode[]
  /** The network of the last server, when it has one of its own. */
  readonly network: NetworkNamespace | undefined

  private constructor(nodes: readonly NatsNode[], network?: NetworkNamespace) {
    this.nodes = nodes
    this.network = network
  }

  /**
   * Starts servers and waits until JetStream answers.
   *
   * @param separate gives the last one a network of its own, where this machine allows it
   */
  static async start(folder: string, size: number, separate = false): Promise<NatsCluster> {
    const network = separate ? NetworkNamespace.make() : undefined
    const ports = await Promise.all(Array.from({ length: 3 * size }, freePort))
    const isInside = (i: number) => network !== undefined && i === size - 1
    const hosts = ports.slice(0, size).map((_, i) => (isInside(i) ? (network?.inside as string) : '127.0.0.1'))
    const nodes = hosts.map((host, i) => {
      const name = `n${i + 1}`
      const file = join(folder, `${name}.conf`)
      // Servers of one machine find each other there; the one with a network of its own by the cable between them.
      const reach = (to: number) => (isInside(to) ? hosts[to] : isInside(i) ? network?.host : '127.0.0.1')
      const routes = hosts.flatMap((_, to) => (to === i ? [] : [`nats-route://${reach(to)}:${ports[size + to]}`]))
      const listen = isInside(i) ? host : network ? '0.0.0.0' : '127.0.0.1'
      const cluster = `cluster { name: test, listen: "${listen}:${ports[size + i]}", no_advertise: true, routes: [${routes.join(', ')}] }`
      const lines = [
        `server_name: ${name}`,
        `listen: "${host}:${ports[i]}"`,
        `http: "${host}:${ports[2 * size + i]}"`,
        `jetstream { store_dir: "${join(folder, name)}" }`,
        ...(size > 1 ? [cluster] : []),
      ]
      writeFileSync(file, `${lines.join('\n')}\n`)
      const monitor = `http://${host}:${ports[2 * size + i]}`
      return new NatsNode(name, `nats://${host}:${ports[i]}`, monitor, file, isInside(i) ? network : undefined)
    })
    for (const node of nodes) node.start()
    const cluster = new NatsCluster(nodes, network)
    try {
      await cluster.ready()
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** Addresses of all servers. */
  get url(): string {
    return this.nodes.map(({ url }) => url).join(',')
  }

  /** The server that leads JetStream. */
  async leader(): Promise<NatsNode> {
    for (;;) {
      for (const node of this.nodes) {
        const name = await node.leader()
        const leader = this.nodes.find((other) => other.name === name)
        if (leader) return leader
      }
      await setTimeout(100)
    }
  }

  /**
   * Waits until every stream has a leader and every replica has caught up with it, as the leaders see it. The servers'
   * own `/healthz` is no help: after a cut 2.9.10 calls replicas behind that are not.
   *
   * @param steady milliseconds for which that must have been so under the same leaders: elections come in waves
   */
  async healthy(steady = 0, milliseconds = 180_000): Promise<void> {
    const { connection, jsm } = await connectNats(this.url)
    let [led, since] = ['', 0]
    try {
      for (const end = performance.now() + milliseconds; ; ) {
        const behind: string[] = []
        let leaders = ''
        try {
          for await (const { config, cluster } of jsm.streams.list()) {
            leaders += `${config.name}: ${cluster?.leader}, `
            const replicas = cluster?.replicas ?? []
            if (
              !cluster?.leader ||
              replicas.length < 2 ||
              replicas.some(({ current, offline }) => !current || offline)
            ) {
              behind.push(config.name)
            }
          }
          if (behind.length > 0 || leaders !== led) [led, since] = [leaders, performance.now()]
          if (behind.length === 0 && performance.now() - since >= steady) return
        } catch (error) {
          behind.push((error as Error).message)
        }
        if (performance.now() > end)
          throw new Error(`not healthy after ${milliseconds} ms: ${behind.join(', ') || 'leaders keep changing'}`)
        await setTimeout(250)
      }
    } finally {
      await connection.close()
    }
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
    for (const node of this.nodes) node.heal()
    await Promise.all(this.nodes.map((node) => node.kill()))
    this.network?.remove()
  }
}
