import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../packages/server/src/testing/child-server.ts'

const POM = resolve(import.meta.dirname, '../release/kafka/pom.xml')
const JARS = resolve(import.meta.dirname, '../../.cache/kafka')

/** Whether a broker can run here: it needs Java, and Maven to fetch it. */
export const CAN_RUN_KAFKA = ['java', 'mvn'].every((program) => spawnSync(program, ['--version']).status === 0)

/** A broker of Apache Kafka on this machine that is its own controller. */
export class KafkaBroker {
  readonly address: string
  private readonly folder: string
  private child: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.address = `127.0.0.1:${port}`
  }

  /** Fetches the broker from Maven Central once, and starts it. */
  static async start(folder: string): Promise<KafkaBroker> {
    const done = join(JARS, '.done')
    if (!existsSync(done)) {
      const copy = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${JARS}`]
      const { status, stdout } = spawnSync('mvn', copy, { encoding: 'utf8' })
      if (status !== 0) throw new Error(`the broker could not be fetched: ${stdout}`)
      writeFileSync(done, '')
    }
    const [port, controller] = [await freePort(), await freePort()]
    const broker = new KafkaBroker(folder, port)
    broker.configure(controller)
    broker.java('kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', broker.config)
    await broker.start()
    return broker
  }

  /** Starts it, also again, and waits until it listens. */
  async start(): Promise<void> {
    this.child = spawn('java', ['-Xmx256m', '-cp', join(JARS, '*'), 'kafka.Kafka', this.config], { stdio: 'ignore' })
    for (let i = 0; i < 600; i++) {
      if (await listens(this.address)) return
      await setTimeout(100)
    }
    throw new Error('the broker does not listen')
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await ended
  }

  private get config(): string {
    return join(this.folder, 'server.properties')
  }

  private configure(controller: number): void {
    const lines = {
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      listeners: `PLAINTEXT://${this.address},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `PLAINTEXT://${this.address}`,
      'controller.listener.names': 'CONTROLLER',
      'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      'log.dirs': join(this.folder, 'data'),
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 1,
      'group.initial.rebalance.delay.ms': 0,
      'auto.create.topics.enable': false,
    }
    mkdirSync(this.folder, { recursive: true })
    const text = Object.entries(lines).map(([name, value]) => `${name}=${value}`)
    writeFileSync(this.config, text.join('\n'))
  }

  private java(...args: string[]): void {
    const { status, stderr } = spawnSync('java', ['-cp', join(JARS, '*'), ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`java ${args[0]}: ${stderr}`)
  }
}

function listens(address: string): Promise<boolean> {
  const [host, port] = address.split(':')
  return new Promise((done) => {
    const socket = connect(Number(port), host)
    socket.on('error', () => done(false))
    socket.on('connect', () => {
      socket.destroy()
      done(true)
    })
  })
}
