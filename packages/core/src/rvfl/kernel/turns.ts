/**
 * How threads share the networks of one update, in words of shared memory. A turn gives out one ticket for each
 * network. Whoever draws a ticket updates that network; the caller draws too, and then waits until all networks are
 * done. So a thread that sleeps or has not started holds nobody up.
 */
export type Turns = Int32Array<SharedArrayBuffer>

/** Number of the turn; threads sleep on it. */
const TURN = 0
/** Tickets left; 0 or less: none. Set last, so that whoever draws a ticket sees the rest of its turn. */
const TICKETS = 1
/** The network behind the last one of the turn. */
const LAST = 2
/** How many networks the turn has. */
const COUNT = 3
/** How many of them are done; the caller sleeps on it. */
const DONE = 4

/**
 * How often a thread looks again before it sleeps: a third of a millisecond. Waking a thread takes longer than that
 * on a busy machine, and between two samples of a run there is less.
 */
const LOOKS = 50_000

/** Updates networks `first` … `last` − 1. */
export type Update = (first: number, last: number) => void

/** Words for the turns of one kernel. */
export function newTurns(): Turns {
  return new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT))
}

/** One turn, as the caller sees it: returns when networks `first` … `last` − 1 are updated. */
export function takeTurn(turns: Turns, first: number, last: number, update: Update): void {
  const count = last - first
  Atomics.store(turns, DONE, 0)
  Atomics.store(turns, LAST, last)
  Atomics.store(turns, COUNT, count)
  Atomics.store(turns, TICKETS, count)
  Atomics.add(turns, TURN, 1)
  Atomics.notify(turns, TURN)
  drawTickets(turns, update)
  for (let done = Atomics.load(turns, DONE); done < count; done = Atomics.load(turns, DONE)) {
    waitForChange(turns, DONE, done)
  }
}

/** Joins one turn after the other, forever. */
export function joinTurns(turns: Turns, update: Update): never {
  for (;;) {
    const turn = Atomics.load(turns, TURN)
    drawTickets(turns, update)
    waitForChange(turns, TURN, turn)
  }
}

/** Returns when a word no longer has this value, or sooner. */
function waitForChange(turns: Turns, word: number, value: number): void {
  for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(turns, word) !== value) return
  Atomics.wait(turns, word, value)
}

function drawTickets(turns: Turns, update: Update): void {
  for (let ticket = Atomics.sub(turns, TICKETS, 1); ticket > 0; ticket = Atomics.sub(turns, TICKETS, 1)) {
    const network = Atomics.load(turns, LAST) - ticket
    update(network, network + 1)
    if (Atomics.add(turns, DONE, 1) + 1 === Atomics.load(turns, COUNT)) Atomics.notify(turns, DONE)
  }
}
