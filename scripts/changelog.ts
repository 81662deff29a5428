// CHANGELOG.md: versions, newest first, and in each one what was added, changed and fixed.
const UNRELEASED = '## Unreleased'
const KINDS = ['Added', 'Changed', 'Fixed']

/**
 * One line for each thing that is wrong with a changelog: a kind that is unknown, repeated or late; a line repeated.
 */
export function changelogProblems(text: string): string[] {
  const [, ...versions] = text.split(/^## /m)
  if (!versions.some((version) => version.startsWith('Unreleased\n'))) return [`there is no ${UNRELEASED}`]
  return versions.flatMap((version) => {
    const name = version.split('\n')[0]
    const kinds = [...version.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind)
    const right = KINDS.filter((kind) => kinds.includes(kind))
    const entries = version.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
    const twice = entries.filter((entry, i) => entries.indexOf(entry) !== i)
    return [
      ...(String(kinds) === String(right) ? [] : [`${name}: has ${kinds}; expected each of ${KINDS} once, in order`]),
      ...twice.map((entry) => `${name}: stands twice: ${entry}`),
    ]
  })
}

/**
 * The changelog with everything unreleased under a version and its date, and a new, empty place for what comes next.
 */
export function released(text: string, version: string, date: string): string {
  const [before, after] = text.split(`${UNRELEASED}\n`)
  if (after === undefined) throw new Error(`CHANGELOG.md: there is no ${UNRELEASED}`)
  if (!/^\s*### /.test(after)) throw new Error('CHANGELOG.md: nothing is unreleased; say there what has changed')
  return `${before}${UNRELEASED}\n\n## ${version} – ${date}\n${after}`
}
