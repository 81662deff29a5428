import { defineView } from './view.ts'

/** Accuracy, guarantee and weights over the life of a system. */
export const progress = defineView('progress', ({ progress }) => ({ points: [...progress.points] }))

/** How many samples were assessed. */
export const samplesMade = defineView('samples made', ({ tally }) => tally.samples)
