import type { SystemDetail } from '@pb-oel/protocol'
import { useMemo } from 'preact/hooks'
import { ArrangedChannels } from '../channels/arranged-channels.tsx'
import { ChannelChooser, shownChannels } from '../channels/channel-chooser.tsx'
import { ChannelTools } from '../channels/channel-tools.tsx'
import type { SystemFeed } from '../feed/system-feed.ts'
import type { TimeWindow } from '../feed/time-window.ts'
import { Performance } from '../performance/performance.tsx'
import { StretchBar } from '../stretch/stretch-bar.tsx'
import { StretchBrush } from '../stretch/stretch-brush.ts'
import { text } from '../strings/en.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { TimelineLegend } from '../timeline/timeline-legend.tsx'
import { WindowControls } from '../timeline/window-controls.tsx'
import { usePresentExplanation } from '../why/explained.ts'
import { byContribution, markedChannels } from '../why/marked.ts'
import { Reasons } from '../why/reasons.tsx'
import { LevelCard } from './level-card.tsx'
import { SimulationControls } from './simulation-controls.tsx'

/** So many channels need no search. */
const FEW = 8

/** One system as it is now. */
export function Live({ feed, window: shown }: { feed: SystemFeed; window: TimeWindow }) {
  const detail = feed.detail.value as SystemDetail
  const { channels, levels } = detail.configuration
  const visible = shownChannels(feed.id, channels)
  const explained = usePresentExplanation(feed)
  const select = (from: number, to: number) => shown.show(from, to)
  const brush = useMemo(() => new StretchBrush(feed.id, () => void feed.refresh().catch(() => {})), [feed])
  const brushed = (from: number, to: number) =>
    brush.armed.peek() ? void brush.answer(from, to, levels) : select(from, to)
  return (
    <main id="content" tabIndex={-1} class="live-view">
      <h1 class="visually-hidden">{detail.title}</h1>
      <div class="column state">
        <LevelCard feed={feed} detail={detail} />
        {detail.trained && (
          <section class="card" aria-labelledby="why-title">
            <h2 id="why-title">{text.why.title}</h2>
            <Reasons explained={explained} configuration={detail.configuration} />
          </section>
        )}
      </div>
      <div class="column charts">
        <section class={`card ${brush.armed.value ? 'brushing' : ''}`} aria-labelledby="timeline-title">
          <header class="card-head">
            <h2 id="timeline-title">{text.live.timeline}</h2>
            <WindowControls window={shown} />
          </header>
          <Timeline samples={shown} levels={levels} group={feed.id} onSelect={brushed} />
          <TimelineLegend />
          <StretchBar brush={brush} window={shown} levels={levels} trained={detail.trained} />
        </section>
        <section class="card" aria-labelledby="channels-title">
          <header class="card-head">
            <h2 id="channels-title">{text.live.channels}</h2>
            <span class="muted">{text.live.channelsShown(visible.length, channels.length)}</span>
            {channels.length > FEW && <ChannelTools />}
            <ChannelChooser system={feed.id} names={channels} />
          </header>
          <ArrangedChannels
            rank={byContribution(explained.explanation, channels)}
            configuration={detail.configuration}
            shown={visible}
            samples={shown}
            group={feed.id}
            onSelect={select}
            held={detail.degraded}
            marked={markedChannels(explained.explanation, channels)}
          />
        </section>
      </div>
      <div class="column performance">
        <Performance feed={feed} detail={detail} />
        <SimulationControls system={feed.id} />
      </div>
    </main>
  )
}
