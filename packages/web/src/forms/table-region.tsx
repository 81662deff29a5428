import type { ComponentChildren } from 'preact'

interface TableRegionProps {
  label: string
  caption?: string
  /** On a narrow screen each row is a list; its cells have their heads in `data-label`. */
  stacked?: boolean
  /** The cells of the head. */
  head: ComponentChildren
  /** The rows. */
  children: ComponentChildren
}

/** A table in a region that scrolls where it is too large, and that keys can reach. */
export function TableRegion({ label, caption, stacked = false, head, children }: TableRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
    <section class="columns-scroll" aria-label={label} tabIndex={0}>
      <table class={`columns setup-columns ${stacked ? 'stacked' : ''}`}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** Cells of a head, one for each word. */
export function Heads({ words }: { words: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.values(words).map((label) => (
        <th key={label} scope="col">
          {label}
        </th>
      ))}
    </>
  )
}
