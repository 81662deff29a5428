import { useSignal } from '@preact/signals'
import { systems } from '../feed/systems.ts'
import { systemLink } from '../router.ts'
import { isAdmin, mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { CHAPTERS } from './terms.ts'

const words = text.tour

/** The page in three steps, and one sentence for every term. */
export function Tour() {
  const first = systems.value?.[0]?.id
  const steps = [
    { ...words.steps[0], address: first && systemLink(first), may: true },
    { ...words.steps[1], address: first && systemLink(first, 'review'), may: mayAnswer.value },
    { ...words.steps[2], address: '#/new', may: isAdmin.value },
  ]
  return (
    <main id="content" tabIndex={-1} class="tour">
      <h1>{words.title}</h1>
      <ol class="tour-steps">
        {steps.map(({ title, body, link, address, may }, i) => (
          <li key={title} class="card">
            <h2>
              {i + 1}. {title}
            </h2>
            <p>{body}</p>
            {address && may && (
              <a class="button" href={address}>
                {link}
              </a>
            )}
          </li>
        ))}
      </ol>
      <Terms />
    </main>
  )
}

function Terms() {
  const wanted = useSignal('')
  const search = wanted.value.trim().toLowerCase()
  const chapters = CHAPTERS.map(({ title, terms }) => ({
    title,
    terms: terms.filter(({ word, meaning }) => `${word} ${meaning}`.toLowerCase().includes(search)),
  })).filter(({ terms }) => terms.length > 0)
  return (
    <section class="card" aria-labelledby="terms-title">
      <header class="card-head">
        <h2 id="terms-title">{words.terms}</h2>
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value
          }}
        />
      </header>
      {chapters.length === 0 && <p class="muted">{words.none}</p>}
      {chapters.map(({ title, terms }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl class="terms-list">
            {terms.map(({ word, meaning }) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </section>
  )
}
