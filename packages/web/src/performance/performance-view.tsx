import type { SystemDetail } from '@pb-oel/protocol'
import type { SystemFeed } from '../feed/system-feed.ts'
import { ReliabilityCurve } from '../promises/reliability-curve.tsx'
import { text } from '../strings/en.ts'
import { Performance } from './performance.tsx'
import { Reviewers } from './reviewers.tsx'
import { WhatIf } from './what-if.tsx'

/** How well a system does: promises, accuracy, calibration, mistakes by level, reviewers, and what another would do. */
export function PerformanceView({ feed }: { feed: SystemFeed }) {
  const detail = feed.detail.value as SystemDetail
  const report = feed.guarantee.value?.promises
  return (
    <main id="content" tabIndex={-1} class="performance-view">
      <h1>{text.nav.performance}</h1>
      <div class="performance-columns">
        <div class="column">
          <Performance feed={feed} detail={detail} />
        </div>
        <div class="column">
          <WhatIf key={feed.id} detail={detail} />
          {detail.trained && report && report.reliability.length > 0 && (
            <section class="card" aria-labelledby="calibration-title">
              <h2 id="calibration-title">{text.promises.curve}</h2>
              <ReliabilityCurve bins={report.reliability} />
            </section>
          )}
          <Reviewers system={feed.id} />
        </div>
      </div>
    </main>
  )
}
