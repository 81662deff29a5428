import { MethodForm } from './forms/method-form.tsx'
import { ReviewerForm } from './forms/reviewer-form.tsx'
import { StreamForm } from './forms/stream-form.tsx'
import { contestants } from './state.ts'
import { theme, turnTheme } from './theme.ts'
import { Channels } from './views/channels.tsx'
import { AccuracyCurves, WeightCurves } from './views/curves.tsx'
import { Icon } from './views/icon.tsx'
import { QuestionCard } from './views/question-card.tsx'
import { RunBar } from './views/run-bar.tsx'
import { Scoreboard } from './views/scoreboard.tsx'
import { Share } from './views/share.tsx'
import { Timeline } from './views/timeline.tsx'

/** The page: set-up on the left, results on the right. */
export function App() {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('results')?.focus()}>
        To the results
      </button>
      <Header />
      <div class="page">
        <aside class="set-up" aria-label="Set-up">
          <StreamForm />
          <MethodForm />
          <ReviewerForm />
        </aside>
        <main id="results" tabIndex={-1}>
          <h1 class="visually-hidden">Playground</h1>
          <RunBar />
          <Results />
          <Share />
        </main>
      </div>
    </>
  )
}

function Header() {
  const next = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <header class="top">
      <a class="product" href="../index.html">
        <img src="./icon.svg" width="26" height="26" alt="" /> pb-oel
      </a>
      <span class="where">Playground</span>
      <span class="spacer" />
      <a href="../index.html">Docs</a>
      <button type="button" class="ghost" aria-label={`Use the ${next} theme`} onClick={turnTheme}>
        <Icon name={next === 'dark' ? 'moon' : 'sun'} />
      </button>
    </header>
  )
}

function Results() {
  const running = contestants.value
  if (running.length === 0) return <Welcome />
  const total = running[0].stream.value?.samples ?? 0
  return (
    <>
      <QuestionCard contestant={running[0]} />
      <Scoreboard contestants={running} />
      {total > 0 && (
        <>
          <Timeline contestants={running} />
          <AccuracyCurves contestants={running} total={total} />
          <div class="weights">
            {running.map((contestant, i) => (
              <WeightCurves key={i} contestant={contestant} total={total} />
            ))}
          </div>
          <Channels contestant={running[0]} />
        </>
      )}
    </>
  )
}

function Welcome() {
  return (
    <section class="card welcome">
      <h2>Watch a method learn from right and wrong</h2>
      <p>
        Press <strong>Run</strong>. A simulated submersible dives, the method assesses how safe it is at every sample,
        and a reviewer says whether that was right. You see accuracy, the guarantee, the weights and every channel while
        it learns.
      </p>
      <p>
        Then try your own CSV file, compare two methods, or answer yourself. Everything is computed in this browser.
        Nothing is uploaded.
      </p>
    </section>
  )
}
