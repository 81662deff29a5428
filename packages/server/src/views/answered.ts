import { levelTold } from '../fold/tally.ts'
import { defineView } from './view.ts'

/** The latest samples whose true level was told, oldest first: the numbers of their records, and the levels. */
export const answered = defineView('answered', ({ recent, configuration }, most: number) => {
  const told = recent.list().flatMap(({ sequence, level: assessed, answer, excluded }) => {
    const level = answer && levelTold(assessed, configuration.levels.length, answer)
    return level === undefined || excluded ? [] : [{ sequence, level }]
  })
  return told.slice(-most)
})
