import type { Outcomes, PromisesReport, SystemDetail } from '@pb-oel/protocol'
import { LevelName } from '../level/level-mark.tsx'
import { guessedAccuracy, guessedMisses } from '../promises/guessing.ts'
import { systemLink } from '../router.ts'
import { mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { atLeast, atMost, count, percent, unbroken } from '../strings/format.ts'

const words = text.live

interface FiguresProps {
  detail: SystemDetail
  /** What is promised; missing in a system without promises. */
  report?: PromisesReport
}

/** How the system is doing: estimates over all samples with their certified bounds, and the answers behind them. */
export function Figures({ detail, report }: FiguresProps) {
  const { drifts } = detail.counts
  return (
    <>
      <dl class="figures">
        <Accuracy detail={detail} report={report} />
        {detail.trained && <Mistakes detail={detail} report={report} />}
        <Figure name={words.counts.drifts} value={count(drifts)} />
        {detail.restarts !== undefined && <Figure name={words.counts.restarts} value={count(detail.restarts)} />}
        <div>
          <dt>{words.counts.open}</dt>
          <dd class="number">{count(detail.openQuestions)}</dd>
          {mayAnswer.value && (
            <dd>
              <a href={systemLink(detail.id, 'review')}>{words.review}</a>
            </dd>
          )}
        </div>
      </dl>
      {detail.trained && report && report.outcomes.weight > 0 && (
        <ByLevel outcomes={report.levels} names={detail.configuration.levels} estimated={report.estimated} />
      )}
    </>
  )
}

function Accuracy({ detail, report }: FiguresProps) {
  const { accuracy, recentAccuracy, estimated, counts } = detail
  const certified = report?.accuracy
  // How often the guesses of an untrained system were right says nothing about it.
  if (!detail.trained) {
    return (
      <div class="wide">
        <dt>{words.answersSoFar}</dt>
        <dd class="number">{words.answers(counts.right, counts.wrong)}</dd>
      </div>
    )
  }
  return (
    <div class="wide">
      <dt>{words.recentAccuracy(estimated)}</dt>
      <dd class="number large">{percent(recentAccuracy)}</dd>
      {accuracy !== null && (
        <dd class="interval number">
          {unbroken(words.overall(percent(accuracy)))}
          {certified && certified.certified > guessedAccuracy(detail.levels.length) && (
            <>
              {', '}
              {unbroken(
                words.between(
                  atLeast(certified.certified),
                  // Every sample that was found wrong is wrong: this end is certain.
                  atMost(1 - counts.wrong / Math.max(1, detail.samples)),
                  percent(certified.confidence, 0),
                ),
              )}
            </>
          )}
        </dd>
      )}
      <dd class="muted number">{words.answers(counts.right, counts.wrong)}</dd>
    </div>
  )
}

/** Misses and false alarms: shares of all samples where they are known, and the answers that said so. */
function Mistakes({ detail, report }: FiguresProps) {
  const { misses, falseAlarms } = detail.counts
  const { missesHint, falseAlarmsHint } = words.counts
  if (!report || report.outcomes.weight === 0) {
    return (
      <>
        <Figure name={words.counts.misses} value={count(misses)} hint={missesHint} />
        <Figure name={words.counts.falseAlarms} value={count(falseAlarms)} hint={falseAlarmsHint} />
      </>
    )
  }
  const { estimated, outcomes: shares } = report
  const most = 1 - report.misses.certified
  return (
    <>
      <Figure
        name={words.missShare(estimated)}
        value={percent(shares.misses, 2)}
        bound={most < guessedMisses(detail.levels.length) ? words.atMost(atMost(most)) : undefined}
        hint={`${missesHint}; ${words.said(misses)}`}
      />
      <Figure
        name={words.falseAlarmShare(estimated)}
        value={percent(shares.falseAlarms, 2)}
        hint={`${falseAlarmsHint}; ${words.said(falseAlarms)}`}
      />
      {shares.wrong > 0 && (
        <Figure name={words.untoldShare(estimated)} value={percent(shares.wrong, 2)} hint={words.counts.untoldHint} />
      )}
    </>
  )
}

function Figure({ name, value, bound, hint }: { name: string; value: string; bound?: string; hint?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
      {bound && <dd class="muted number">{bound}</dd>}
      {hint && <dd class="muted small">{hint}</dd>}
    </div>
  )
}

interface ByLevelProps {
  outcomes: readonly Outcomes[]
  names: readonly string[]
  estimated: boolean
}

/** The same shares over the samples that were assessed as each level. */
function ByLevel({ outcomes, names, estimated }: ByLevelProps) {
  return (
    <details class="by-level">
      <summary>{words.byLevel(estimated)}</summary>
      <table class="number">
        <thead>
          <tr>
            <th scope="col">{words.assessedAs}</th>
            <th scope="col">{words.counts.right}</th>
            <th scope="col">{words.counts.misses}</th>
            <th scope="col">{words.counts.falseAlarms}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, level) => {
            const { weight, accuracy, misses, falseAlarms } = outcomes[level]
            const share = (value: number) => percent(weight > 0 ? value : null)
            return (
              <tr key={name}>
                <th scope="row">
                  <LevelName level={level} names={names} size={12} />
                </th>
                <td>{share(accuracy)}</td>
                <td>{share(misses)}</td>
                <td>{share(falseAlarms)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </details>
  )
}
