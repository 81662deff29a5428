import { expect, it } from 'vitest'
import { InTurn } from './in-turn.ts'

it('work in turn begins when what came before has ended, also where that failed', async () => {
  const turns = new InTurn()
  const done: string[] = []
  const first = turns.take(async () => {
    await new Promise(setImmediate)
    done.push('first')
    throw new Error('lost')
  })
  const second = turns.take(async () => void done.push('second'))
  await expect(first).rejects.toThrow('lost')
  await second
  expect(done).toEqual(['first', 'second'])
})
