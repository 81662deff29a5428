/** Milliseconds of processor time that one side of a cell uses. */
interface Cost {
  /** For a turn: waking up, reading and writing whatever is ready. */
  turn: number
  /** For a message of the log. */
  message: number
  /** For a sample. */
  sample: number
}

/** What everything costs; see measured.ts. */
export interface Costs {
  worker: Cost
  /** Three servers together. */
  servers: Cost
  clients: Cost
  /** What a worker uses more for a request with one sample than for a line with one. */
  request: number
}

/** A part of a cluster that shares its cores, and its load. */
export interface Cell {
  workers: number
  systems: number
  /** Samples per second and system; 0: each system sends the next sample when the last one is answered. */
  rate: number
  /** Cores for everything together, such as one small machine; or for each side on its own. */
  cores: number | Record<Side, number>
  /** Milliseconds on the way between two machines, there or back. */
  link?: number
  /** Systems send evenly one after the other, as those of bench/cluster do, or when they happen to. Default: evenly. */
  uneven?: boolean
}

/** What a simulated cell does. */
export interface CellReport {
  samplesPerSecond: number
  samplesPerMessage: number
  /** Milliseconds from when a sample is due to when it is answered. */
  latency: { median: number; p99: number }
  /** Milliseconds of processor time per sample. */
  processor: Record<Side, number>
  /** Share of time in which the busiest worker is busy, and the cores of the servers. */
  busy: { worker: number; servers: number }
  /** Whether samples were answered as fast as they came. */
  keepsUp: boolean
}

export type Side = 'clients' | 'workers' | 'servers'

/** Lines of one stream that were read together; they are answered together. */
interface Piece {
  open: number
}

interface Sample {
  system: System
  due: number
  piece?: Piece
}

interface System {
  worker: Station
  /** Samples that wait for the message under way. */
  waiting: Sample[]
  underWay: boolean
  /** Lines that have come and are not read, and the piece that was read ahead. */
  unread: Sample[]
  ahead: Sample[]
  /** Pieces under way. */
  pieces: number
}

/** A piece of work in a queue: what it costs, and what follows when the turn that did it is over. */
interface Job {
  cost: number
  then: () => void
}

/** Processes that wake up, do everything that is waiting in one turn, and hand it on at its end. */
class Station {
  readonly side: Side
  /** Threads that work on a turn at once. */
  readonly threads: number
  readonly turn: number
  queue: Job[] = []
  current: Job[] = []
  /** What leaves at the end of this turn, written together. */
  outgoing: (() => void)[] = []
  /** Milliseconds of processor time left of this turn, and used so far. */
  left = 0
  used = 0

  constructor(side: Side, threads: number, turn: number) {
    this.side = side
    this.threads = threads
    this.turn = turn
  }

  begin(): void {
    if (this.left > 0 || this.queue.length === 0) return
    this.current = this.queue
    this.queue = []
    this.left = this.turn + this.current[0].cost
  }
}

/** Pieces of a stream of lines that a worker has under way. */
const PIECES = 2
/** Processes of servers that work on a message: the leader of its stream and two others. */
const SERVERS = 3

/**
 * Simulates a cell without chance: the same cell gives the same figures. A system has one message under way; samples
 * that come meanwhile share the next one. Workers, servers and clients work in turns and share the cores evenly.
 */
export function simulateCell(cell: Cell, costs: Costs, seconds = 4, warmUp = 1): CellReport {
  return new CellRun(cell, costs).run(seconds * 1000, warmUp * 1000)
}

class CellRun {
  private readonly cell: Cell
  private readonly costs: Costs
  private readonly clients: Station
  private readonly servers: Station
  private readonly workers: Station[]
  private readonly stations: Station[]
  private readonly systems: System[]
  private now = 0
  /** What happens by the clock, soonest first. */
  private readonly later: { at: number; run: () => void }[] = []
  private answered: { at: number; latency: number }[] = []
  private messages = 0
  private due = 0

  constructor(cell: Cell, costs: Costs) {
    this.cell = cell
    this.costs = costs
    this.clients = new Station('clients', 1, costs.clients.turn)
    const threads = typeof cell.cores === 'number' ? SERVERS : Math.max(SERVERS, cell.cores.servers)
    this.servers = new Station('servers', threads, costs.servers.turn)
    this.workers = Array.from({ length: cell.workers }, () => new Station('workers', 1, costs.worker.turn))
    this.stations = [this.clients, this.servers, ...this.workers]
    this.systems = Array.from({ length: cell.systems }, (_, i) => ({
      ...{ worker: this.workers[i % cell.workers], waiting: [], underWay: false, unread: [], ahead: [], pieces: 0 },
    }))
  }

  run(milliseconds: number, warmUp: number): CellReport {
    for (const [i, system] of this.systems.entries()) this.plan(system, i)
    this.runUntil(warmUp)
    const used = this.stations.map((station) => station.used)
    this.answered = []
    const messages = this.messages
    const dueBefore = this.due
    this.runUntil(warmUp + milliseconds)
    const count = this.answered.length
    const spent = this.stations.map((station, i) => station.used - used[i])
    const of = (side: Side) => spent.reduce((sum, one, i) => sum + (this.stations[i].side === side ? one : 0), 0)
    const latencies = this.answered.map(({ latency }) => latency).sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.floor(share * (count - 1))] ?? Number.NaN
    return {
      samplesPerSecond: (1000 * count) / milliseconds,
      samplesPerMessage: count / Math.max(1, this.messages - messages),
      latency: { median: at(0.5), p99: at(0.99) },
      processor: { workers: of('workers') / count, servers: of('servers') / count, clients: of('clients') / count },
      busy: { worker: Math.max(...spent.slice(2)) / milliseconds, servers: of('servers') / milliseconds },
      keepsUp: this.cell.rate === 0 || count >= 0.97 * (this.due - dueBefore),
    }
  }

  private plan(system: System, number: number): void {
    const { rate, systems } = this.cell
    if (rate === 0) {
      this.send({ system, due: 0 })
      return
    }
    const every = 1000 / rate
    const next = (due: number) => {
      this.after(due, () => {
        this.due++
        this.send({ system, due })
        next(due + every)
      })
    }
    next(every * (this.cell.uneven ? scattered(number) : number / systems))
  }

  private send(sample: Sample): void {
    this.give(this.clients, this.costs.clients.sample / 2, () =>
      this.carry(() => {
        sample.system.unread.push(sample)
        this.read(sample.system)
      }),
    )
  }

  /** Reads one piece ahead, and takes it up while few are under way. */
  private read(system: System): void {
    if (system.ahead.length === 0) system.ahead = system.unread.splice(0)
    if (system.ahead.length === 0 || system.pieces >= PIECES) return
    const samples = system.ahead
    system.ahead = []
    const piece = { open: samples.length }
    system.pieces++
    const { worker, request } = this.costs
    const each = worker.sample + (this.cell.rate === 0 ? request : 0)
    this.give(system.worker, each * samples.length, () => {
      for (const sample of samples) system.waiting.push({ ...sample, piece })
      if (!system.underWay) this.publish(system)
    })
    this.read(system)
  }

  private publish(system: System): void {
    const { worker: own, servers } = this.costs
    system.underWay = true
    this.give(system.worker, own.message / 2, () => {
      const samples = system.waiting.splice(0)
      this.messages++
      const cost = servers.message + servers.sample * samples.length
      const ack = () => this.give(system.worker, own.message / 2, () => this.finish(system, samples))
      const store = () => this.give(this.servers, cost, () => this.servers.outgoing.push(() => this.carry(ack)))
      system.worker.outgoing.push(() => this.carry(store))
    })
  }

  private finish(system: System, samples: readonly Sample[]): void {
    for (const { due, piece } of samples) {
      if (piece && --piece.open === 0) system.pieces--
      this.carry(() =>
        this.give(this.clients, this.costs.clients.sample / 2, () => {
          this.answered.push({ at: this.now, latency: this.now - due })
          if (this.cell.rate === 0) this.send({ system, due: this.now })
        }),
      )
    }
    system.underWay = false
    if (system.waiting.length > 0) this.publish(system)
    this.read(system)
  }

  private give(station: Station, cost: number, then: () => void): void {
    station.queue.push({ cost, then })
  }

  private carry(run: () => void): void {
    const { link = 0 } = this.cell
    if (link === 0) run()
    else this.after(this.now + link, run)
  }

  private after(at: number, run: () => void): void {
    push(this.later, { at, run })
  }

  private runUntil(end: number): void {
    while (this.now < end) {
      for (const station of this.stations) station.begin()
      const busy = this.stations.filter(({ left }) => left > 0)
      const speeds = busy.map((station) => this.speed(station, busy))
      const soonest = busy.reduce((least, { left }, i) => Math.min(least, left / speeds[i]), Number.POSITIVE_INFINITY)
      const at = Math.min(end, this.now + soonest, this.later[0]?.at ?? end)
      const passed = at - this.now
      this.now = at
      for (const [i, station] of busy.entries()) this.work(station, passed * speeds[i])
      while (this.later.length > 0 && this.later[0].at <= this.now) pop(this.later)?.run()
    }
  }

  private work(station: Station, done: number): void {
    station.used += Math.min(done, station.left)
    station.left -= done
    if (station.left > 1e-9) return
    station.left = 0
    station.current.shift()?.then()
    if (station.current.length > 0) station.left = Math.max(1e-6, station.current[0].cost)
    else for (const send of station.outgoing.splice(0)) send()
  }

  /** How fast a turn goes: its threads, as far as there are cores for all that run. */
  private speed({ side, threads }: Station, busy: readonly Station[]): number {
    const { cores } = this.cell
    const rivals = typeof cores === 'number' ? busy : busy.filter((station) => station.side === side)
    const wanted = rivals.reduce((sum, station) => sum + station.threads, 0)
    const there = typeof cores === 'number' ? cores : cores[side]
    return threads * Math.min(1, there / wanted)
  }
}

/** A number between 0 and 1 that looks like chance and is the same in each run. */
function scattered(number: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b)
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32
}

/** A heap of what comes, soonest first. */
function push<T extends { at: number }>(heap: T[], entry: T): void {
  let place = heap.push(entry) - 1
  while (place > 0) {
    const parent = (place - 1) >> 1
    if (heap[parent].at <= entry.at) break
    heap[place] = heap[parent]
    place = parent
  }
  heap[place] = entry
}

function pop<T extends { at: number }>(heap: T[]): T | undefined {
  const [first] = heap
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return first
  let place = 0
  for (;;) {
    let child = 2 * place + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1].at < heap[child].at) child++
    if (heap[child].at >= last.at) break
    heap[place] = heap[child]
    place = child
  }
  heap[place] = last
  return first
}
