import { useState } from 'preact/hooks'
import type { ApiError } from '../api/client.ts'
import { text } from '../strings/en.ts'
import { me, signIn } from './session.ts'

/** Asks for a token. */
export function SignIn() {
  const [token, setToken] = useState('')
  const [remember, setRemember] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [checking, setChecking] = useState(false)

  const submit = async (event: Event) => {
    event.preventDefault()
    if (token.trim() === '') return setProblem(text.signIn.empty)
    setProblem(null)
    setChecking(true)
    try {
      await signIn(token.trim(), remember)
      const sensorOnly = me.value?.roles.every((role) => role === 'sensor')
      if (sensorOnly) setProblem(text.signIn.noRead)
      else if (location.hash.startsWith('#/sign-in')) location.hash = '#/'
    } catch (error) {
      const { status, message } = error as ApiError
      setProblem(status === 401 ? text.signIn.refused : status === 0 ? text.signIn.unreachable : message)
    } finally {
      setChecking(false)
    }
  }

  return (
    <main id="content" tabIndex={-1} class="sign-in">
      <form class="card" onSubmit={submit} noValidate>
        <img src="./icon.svg" alt="" width="40" height="40" />
        <h1>{text.signIn.title}</h1>
        <p class="muted">{text.signIn.lead}</p>
        <label for="token">{text.signIn.token}</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          aria-describedby="token-hint token-problem"
          aria-invalid={problem !== null}
        />
        <p id="token-hint" class="muted small">
          {text.signIn.hint}
        </p>
        <label class="check">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          {text.signIn.remember}
        </label>
        <p id="token-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={checking}>
          {checking ? text.signIn.checking : text.signIn.submit}
        </button>
      </form>
    </main>
  )
}
