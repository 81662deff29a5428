import type { Guarantee } from '@pb-oel/core'
import type { Contestant } from '../engine/contestant.ts'
import type { Figures } from '../engine/figures.ts'
import { methodEntry } from '../settings/catalogue.ts'
import { count, percent } from '../text.ts'

/** The figures of each method, side by side. */
export function Scoreboard({ contestants }: { contestants: readonly Contestant[] }) {
  const best = Math.max(...contestants.map(({ figures }) => figures.value?.accuracy ?? 0))
  return (
    <div class={`scoreboard of-${contestants.length}`}>
      {contestants.map((contestant, i) => (
        <Score key={i} contestant={contestant} index={i} leads={contestants.length > 1 && leads(contestant, best)} />
      ))}
    </div>
  )
}

const leads = ({ figures }: Contestant, best: number): boolean => (figures.value?.accuracy ?? 0) === best && best > 0

function Score({ contestant, index, leads }: { contestant: Contestant; index: number; leads: boolean }) {
  const figures = contestant.figures.value
  const { title } = methodEntry(contestant.method.name)
  return (
    <section class="card score" aria-label={title} data-testid={`score-${index}`}>
      <header class="card-head">
        <h2>
          <span class={`swatch of-${index}`} aria-hidden="true" />
          {title}
        </h2>
        {leads && <span class="pill">ahead</span>}
      </header>
      {contestant.problem.value && (
        <p class="problem" role="alert">
          {contestant.problem.value}
        </p>
      )}
      {figures && <Numbers figures={figures} />}
      {figures && <GuaranteeWords guarantee={figures.guarantee} />}
    </section>
  )
}

function Numbers({ figures }: { figures: Figures }) {
  const { accuracy, recent, misses, falseAlarms, drifts, restarts, noChange, labels, answers, speed } = figures
  return (
    <>
      <dl class="headline">
        <div>
          <dt>Accuracy</dt>
          <dd class="number large" data-testid="accuracy">
            {percent(accuracy, 2)}
          </dd>
        </div>
        <div>
          <dt>Latest 1,000</dt>
          <dd class="number large">{percent(recent)}</dd>
        </div>
      </dl>
      <dl class="numbers">
        <One name="Misses" value={count(misses)} hint="assessed safer than it was" />
        <One name="False alarms" value={count(falseAlarms)} hint="assessed less safe than it was" />
        <One name="Drifts" value={count(drifts)} hint="experts rebuilt" />
        {restarts !== undefined && <One name="Restarts" value={count(restarts)} hint="weights set equal" />}
        <One name="Answers" value={count(answers)} hint={`${count(labels)} of them labels`} />
        <One name="No change" value={percent(noChange)} hint="repeats the last true level" />
        <One name="Speed" value={count(speed)} hint="samples per second" />
      </dl>
    </>
  )
}

function One({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <div title={hint} data-figure={name}>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  )
}

/** What is guaranteed, in one sentence. */
function GuaranteeWords({ guarantee }: { guarantee: Guarantee | undefined }) {
  if (!guarantee) return <p class="guarantee muted">This method comes without a guarantee.</p>
  const { applies, reason, value, ultimate } = guarantee
  if (!applies) return <p class="guarantee">The guarantee does not apply: {reason}.</p>
  if (value <= 0) {
    return <p class="guarantee">The guarantee holds but is still below 0 %: it needs more answers.</p>
  }
  return (
    <p class="guarantee holds">
      Guaranteed: at least <strong class="number">{percent(value)}</strong> expected accuracy on answered samples. The
      best expert of each batch reached {percent(ultimate)}.
    </p>
  )
}
