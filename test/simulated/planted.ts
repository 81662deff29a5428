import type { Edit } from '../../scripts/source-copy.ts'

/** An error that the simulation must find, in as many places as it takes: some promises are kept twice. */
export interface SimulatedError {
  readonly name: string
  readonly edits: readonly Edit[]
}

const SERVER = 'packages/server/src'

/** `npm run simulate -- --planted` puts each into a copy of the sources and wants a seed among 200 to fail. */
export const SIMULATED_ERRORS: readonly SimulatedError[] = [
  {
    name: 'unsynced commit',
    edits: [
      {
        file: `${SERVER}/log/sqlite-store.ts`,
        right: '      checkDurable(this.db)\n',
        wrong: "      checkDurable(this.db)\n      this.db.exec('PRAGMA synchronous = OFF')\n",
      },
    ],
  },
  {
    name: 'ack before disk',
    edits: [
      {
        file: `${SERVER}/service/live-system.ts`,
        right: '      await stored\n      if (input.kind',
        wrong: '      if (input.kind',
      },
    ],
  },
  {
    name: 'lost dedupe',
    edits: [
      {
        file: `${SERVER}/seat/seated-fold.ts`,
        right: '(fold.keys.sequenceOf(key) ?? keys.get(key))',
        wrong: 'keys.get(key)',
      },
    ],
  },
  {
    name: 'cursor before send',
    edits: [
      {
        file: `${SERVER}/alarms/outbox.ts`,
        right: '      await this.send(message, this.aborter.signal)\n',
        wrong:
          '      await log.moveCursor(this.cursor(system), sequence)\n      await this.send(message, this.aborter.signal)\n',
      },
    ],
  },
  {
    name: 'stale read',
    edits: [
      {
        file: `${SERVER}/service/live-system.ts`,
        right: '      const row = await this.read(summary(this.now))\n',
        wrong:
          '      const { row } = this.#known\n      this.read(summary(this.now)).then((row) => (this.#known = { row, at }), () => {})\n',
      },
    ],
  },
  {
    name: 'backward time',
    edits: [
      {
        file: `${SERVER}/seat/seated-fold.ts`,
        right: 'return Math.max(this.fold.time, now)',
        wrong: 'return now',
      },
      {
        file: `${SERVER}/clock/record-times.ts`,
        right: 'return Math.max(this.last, follows ? this.clock.now() : this.carriedOn())',
        wrong: 'return follows ? this.clock.now() : this.clock.now()',
      },
    ],
  },
  {
    name: 'skipped record on recovery',
    edits: [
      {
        file: `${SERVER}/replay/recover.ts`,
        right: '      replayer.feed(record)\n',
        wrong:
          "      if (record.kind !== 'feedback' || record.sequence !== at) replayer.feed(record)\n      else replayer.fold?.skip(record.time)\n",
      },
    ],
  },
  {
    name: 'lease not fenced',
    edits: [
      {
        file: `${SERVER}/cluster/cluster-node.ts`,
        right: '    await this.log.fence(id)\n',
        wrong: '',
      },
    ],
  },
  {
    name: 'wrong snapshot',
    edits: [
      {
        file: `${SERVER}/fold/saved-state.ts`,
        // Answers are forgotten, so that an assessment can be answered twice.
        right: '    ...(answer && { answer: recentAnswer(answer) }),\n',
        wrong: '',
      },
    ],
  },
  {
    name: 'missed alarm',
    edits: [
      {
        file: `${SERVER}/alarms/outbox.ts`,
        right: '        const from = (await log.cursor(this.cursor(system))) + 1\n',
        wrong: '        const from = ((await log.extent(system.id))?.last ?? 0) + 1\n',
      },
    ],
  },
]
