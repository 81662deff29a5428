import type { Answer, Worker } from './worker.ts'

/** One of several that do the same work. */
export interface Side {
  /** As shown in the table, such as `River`. */
  readonly name: string
  /** Which worker does it. */
  readonly worker: string
  /** The request; `{seed}` becomes the number of the round. */
  readonly request: string
}

/** The same work on several sides, ours first. */
export interface Pair {
  readonly task: string
  readonly stream: string
  readonly samples: number
  readonly sides: readonly Side[]
}

/** One repetition of one side. */
export interface Turn {
  readonly task: string
  readonly stream: string
  readonly side: string
  readonly round: number
  readonly answer: Answer
}

/** Workers whose compilers need a first turn that does not count. */
const COMPILED = new Set(['ours', 'moa'])
const WARM_TURNS = 2

/**
 * Every side in turn, round after round, so that whatever else the machine does hurts all alike; every second round
 * goes backwards. Sides that compile as they run have two turns before the first round.
 */
export async function takeTurns(
  pair: Pair,
  workers: ReadonlyMap<string, Worker>,
  repeats: number,
  watch: { signal: AbortSignal; onTurn(turn: Turn): void },
): Promise<Turn[]> {
  const turns: Turn[] = []
  const ask = (side: Side, round: number) => {
    watch.signal.throwIfAborted()
    return (workers.get(side.worker) as Worker).ask(side.request.replace('{seed}', String(round)))
  }
  for (const side of pair.sides) {
    if (COMPILED.has(side.worker)) for (let i = 0; i < WARM_TURNS; i++) await ask(side, 1)
  }
  for (let round = 1; round <= repeats; round++) {
    for (const side of round % 2 === 1 ? pair.sides : pair.sides.toReversed()) {
      const { task, stream } = pair
      const turn = { task, stream, side: side.name, round, answer: await ask(side, round) }
      watch.onTurn(turn)
      turns.push(turn)
    }
  }
  return turns
}
