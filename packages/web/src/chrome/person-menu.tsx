import { isAdmin, mayAnswer, me, personName, signOut, typedName } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { Icon } from './icon.tsx'

/** Who uses the page. An open server asks for a name for the log; any other offers to sign out. */
export function PersonMenu() {
  const person = me.value
  if (!person) return null
  const role = isAdmin.value ? 'admin' : mayAnswer.value ? 'reviewer' : 'viewer'
  return (
    <details class="person">
      <summary>
        <Icon name="person" size={18} />
        <span class="person-name">{personName.value}</span>
        <span class="visually-hidden">{text.person.menu}</span>
      </summary>
      <div class="menu card">
        <a href="#/tour">{text.tour.title}</a>
        {isAdmin.value && <a href="#/people">{text.people.title}</a>}
        {person.open ? (
          <>
            <label class="field">
              {text.person.name}
              <input
                value={typedName.value}
                placeholder={personName.value}
                maxLength={60}
                autocomplete="nickname"
                onInput={(event) => {
                  typedName.value = event.currentTarget.value
                }}
              />
            </label>
            <p class="muted small">{text.person.hint}</p>
          </>
        ) : (
          <>
            <p>
              {person.name}, {text.person.roles[role]}
            </p>
            <button type="button" onClick={signOut}>
              {text.person.signOut}
            </button>
          </>
        )}
      </div>
    </details>
  )
}
