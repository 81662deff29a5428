import { Icon } from '../chrome/icon.tsx'
import { text } from '../strings/en.ts'
import { change, draft, type LevelDraft } from './draft.ts'

const words = text.create.levels

/** The levels in their order: names, and buttons that move them. */
export function LevelList({ fromFile }: { fromFile: boolean }) {
  const { levels } = draft.value
  const set = (next: readonly LevelDraft[]) => change({ levels: next })
  const swap = (a: number, b: number) => set(levels.map((level, i) => levels[i === a ? b : i === b ? a : i] ?? level))
  return (
    <section class="card" aria-labelledby="levels-title">
      <h2 id="levels-title">{words.title}</h2>
      <p class="hint">{words.hint}</p>
      <ol class="level-list">
        {levels.map(({ name, cell }, i) => (
          <li key={cell ?? i}>
            <span class="badge">{i === 0 ? words.safest : i === levels.length - 1 ? words.worst : words.between}</span>
            <input
              aria-label={words.nameOf(i + 1)}
              maxLength={100}
              value={name}
              onInput={({ currentTarget }) =>
                set(levels.map((level, place) => (place === i ? { ...level, name: currentTarget.value } : level)))
              }
            />
            {cell !== undefined && cell !== name && <span class="muted small">{words.cell(cell)}</span>}
            <span class="level-moves">
              <button
                type="button"
                class="ghost turned"
                disabled={i === 0}
                aria-label={words.up(name)}
                onClick={() => swap(i, i - 1)}
              >
                <Icon name="left" />
              </button>
              <button
                type="button"
                class="ghost turned"
                disabled={i === levels.length - 1}
                aria-label={words.down(name)}
                onClick={() => swap(i, i + 1)}
              >
                <Icon name="right" />
              </button>
              {!fromFile && (
                <button
                  type="button"
                  class="ghost"
                  disabled={levels.length <= 2}
                  aria-label={words.remove(name)}
                  onClick={() => set(levels.filter((_, place) => place !== i))}
                >
                  <Icon name="cross" />
                </button>
              )}
            </span>
          </li>
        ))}
      </ol>
      {!fromFile && (
        <div class="row">
          <button type="button" onClick={() => set([...levels, { name: '' }])}>
            <Icon name="plus" /> {words.add}
          </button>
        </div>
      )}
    </section>
  )
}
