import { describe } from 'vitest'
import { feedCases } from './testing/cases/feed.ts'
import { historyCases } from './testing/cases/history.ts'
import { liveCases } from './testing/cases/live.ts'
import { onOneDive } from './testing/cases/on-dive.ts'
import { overviewCases } from './testing/cases/overview.ts'
import { performanceCases } from './testing/cases/performance.ts'
import { tourCases } from './testing/cases/tour.ts'
import { CHROMIUM, SKIPPED } from './testing/page.ts'

describe.skipIf(!CHROMIUM)(`a dive of 400 samples${SKIPPED}`, () => {
  const onDive = onOneDive()
  describe('in the overview', () => overviewCases(onDive))
  describe('in the performance view', () => performanceCases(onDive))
  describe('in the history', () => historyCases(onDive))
  describe('in the live view', () => liveCases(onDive))
  describe('as its events tell it', () => feedCases(onDive))
  // The last one leaves the dive under way.
  describe('on the tour', () => tourCases(onDive))
})
