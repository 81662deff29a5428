import { spawnSync } from 'node:child_process'

/** A network of its own for a process, joined to this machine by one cable that can be pulled. Linux, root. */
export class NetworkNamespace {
  /** Address of this machine as seen from inside, and of the inside. */
  readonly host: string
  readonly inside: string
  private readonly name: string
  private readonly cable: string

  private constructor(number: number, net: string) {
    this.name = `pb-oel-${number}`
    this.cable = `pbo${number}`
    this.host = `${net}.1`
    this.inside = `${net}.2`
  }

  /** Makes one; `undefined` where that is not allowed. */
  static make(): NetworkNamespace | undefined {
    const made = new NetworkNamespace(process.pid % 100_000, freeNet())
    const { name, cable, host, inside } = made
    const steps = [
      `ip netns add ${name}`,
      `ip link add ${cable}a type veth peer name ${cable}b`,
      `ip link set ${cable}b netns ${name}`,
      `ip addr add ${host}/30 dev ${cable}a`,
      `ip link set ${cable}a up`,
      `ip -n ${name} addr add ${inside}/30 dev ${cable}b`,
      `ip -n ${name} link set lo up`,
      `ip -n ${name} link set ${cable}b up`,
    ]
    if (steps.every((step) => run(step))) return made
    made.remove()
    return undefined
  }

  /** The command that runs another one inside. */
  get prefix(): string[] {
    return ['ip', 'netns', 'exec', this.name]
  }

  /** Pulls the cable: packets are lost in both directions, connections hang. */
  cut(): void {
    run(`ip -n ${this.name} link set ${this.cable}b down`)
  }

  /** Plugs the cable in again. */
  heal(): void {
    run(`ip -n ${this.name} link set ${this.cable}b up`)
  }

  remove(): void {
    run(`ip link del ${this.cable}a`)
    run(`ip netns del ${this.name}`)
  }
}

/** The first three numbers of addresses that no network of another test has, also of one that was killed. */
function freeNet(): string {
  const used = spawnSync('sh', ['-c', 'ip -o -4 addr'], { encoding: 'utf8' }).stdout ?? ''
  const nets = Array.from({ length: 250 }, (_, i) => `10.213.${(process.pid + i) % 250}`)
  return nets.find((net) => !used.includes(` ${net}.`)) ?? nets[0]
}

function run(command: string): boolean {
  return spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0
}
