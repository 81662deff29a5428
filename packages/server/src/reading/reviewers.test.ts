import type { RecordKind } from '@pb-oel/protocol'
import { expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { reviewersOf } from './reviewers.ts'

it('a reviewer counts as corrected by others, where they say something else, and not by themselves', async () => {
  const log = new MemoryLog()
  const said = (kind: RecordKind, by: string, assessment: number, level: number, time: number) => ({
    ...{ kind, time },
    body: JSON.stringify({ version: 2, assessment, kind: 'label', level, by }),
  })
  await log.append('plant', 1, [
    said('feedback', 'eva', 0, 1, 10),
    said('correction', 'eva', 0, 2, 20),
    said('feedback', 'eva', 1, 1, 30),
    said('correction', 'max', 1, 1, 40),
    said('feedback', 'eva', 2, 1, 50),
    said('correction', 'max', 2, 0, 60),
  ])
  const { reviewers } = await reviewersOf(log, { system: 'plant', channels: [], levels: ['safe', 'odd', 'unsafe'] })
  expect(reviewers.map(({ by, answers, corrected, latest }) => [by, answers, corrected, latest])).toEqual([
    ['eva', 4, 1, 50],
    ['max', 2, 0, 60],
  ])
})
