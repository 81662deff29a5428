import { defineDetector } from '@pb-oel/core'
import { HddmA } from '@pb-oel/core/drift'

/** A detector from outside: HDDM_A at a significance of its own. */
export default defineDetector({
  name: 'mine',
  title: 'mine',
  summary: 'HDDM_A at a tenth of the usual significance',
  options: {},
  create: () => new HddmA({ drift: 0.0001 }),
})
