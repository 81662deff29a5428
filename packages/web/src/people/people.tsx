import type { Role, Token, TokenList, TokenReceipt } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, request, sayFailed } from '../api/client.ts'
import { Heads, TableRegion } from '../forms/table-region.tsx'
import { isAdmin, me, signIn } from '../session/session.ts'
import { CopyButton } from '../setup/copy-button.tsx'
import { text } from '../strings/en.ts'
import { moment } from '../strings/format.ts'
import { NewTokenForm } from './new-token-form.tsx'

const words = text.people

/** Who may sign in, for admins: the tokens, a new one, and the end of one. */
export function People() {
  const tokens = useSignal<Token[] | null>(null)
  const made = useSignal<{ name: string; token: string } | null>(null)
  const wrong = useSignal('')
  const attempt = async (task: () => Promise<void>) => {
    wrong.value = ''
    try {
      await task()
      tokens.value = (await get<TokenList>('/v1/tokens')).tokens
    } catch (error) {
      wrong.value = sayFailed(error, words.failed)
    }
  }
  useEffect(() => void attempt(async () => {}), [])
  const make = (name: string, role: Role, systems: string[]) =>
    attempt(async () => {
      const body = { name, roles: [role], ...(systems.length > 0 && { systems }) }
      const { token } = await request<TokenReceipt>('POST', '/v1/tokens', body)
      made.value = { name, token }
      // From the first token on the server asks for one.
      if (me.value?.open) await signIn(token, false)
    })
  return (
    <main id="content" tabIndex={-1} class="people">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      {!isAdmin.value && <p>{words.adminOnly}</p>}
      {isAdmin.value && (
        <>
          {me.value?.open && <p class="card">{words.open}</p>}
          {tokens.value && <NewTokenForm first={tokens.value.length === 0} onMake={make} />}
          {made.value && (
            <section class="card" aria-label={words.made(made.value.name)}>
              <p role="status">{words.made(made.value.name)}</p>
              <code class="snippet">{made.value.token}</code>
              <div class="row">
                <CopyButton text={made.value.token} label={words.copy} done={words.copied} />
              </div>
            </section>
          )}
          <p class="problem" role="alert">
            {wrong.value}
          </p>
          {tokens.value && (
            <TokenTable
              tokens={tokens.value}
              onRevoke={(id) => void attempt(() => request('DELETE', `/v1/tokens/${encodeURIComponent(id)}`))}
            />
          )}
        </>
      )}
    </main>
  )
}

function TokenTable({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke: (id: string) => void }) {
  const asked = useSignal('')
  if (tokens.length === 0) return <p class="muted">{words.none}</p>
  return (
    <TableRegion
      label={words.title}
      head={
        <>
          <Heads words={words.columns} />
          <td />
        </>
      }
    >
      {tokens.map(({ id, name, roles, systems, created, expires }) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          <td>{roles.join(', ')}</td>
          <td>{systems.includes('*') ? words.all : systems.join(', ')}</td>
          <td>{moment(created)}</td>
          <td>{expires === undefined ? words.never : moment(expires)}</td>
          <td>
            <button
              type="button"
              class={asked.value === id ? 'danger' : ''}
              aria-label={words.revokeOf(name)}
              onClick={() => {
                if (asked.value === id) onRevoke(id)
                asked.value = asked.value === id ? '' : id
              }}
            >
              {asked.value === id ? words.sure : words.revoke}
            </button>
          </td>
        </tr>
      ))}
    </TableRegion>
  )
}
