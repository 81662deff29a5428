import { defineView } from './view.ts'

/** Accuracy, guarantee and weights over the life of a system. */
export const progress = defineView('progress', ({ progress }) => ({ points: [...progress.points] }))

/** The number of the latest assessment that is kept; −1 without one. */
export const latestAssessment = defineView('latest assessment', ({ recent }) => recent.latest?.assessment ?? -1)

/** How many samples were assessed. */
export const samplesMade = defineView('samples made', ({ tally }) => tally.samples)
