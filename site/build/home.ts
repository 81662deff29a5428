import { relative } from './links.ts'
import { escaped } from './markdown.ts'

/** What people come for, and the page that has it. */
const ROLES = [
  ['Operator', 'Watch the level, acknowledge alarms, answer questions.', 'how-to/operator.html'],
  ['Plant engineer', 'Connect sensors, name levels, set alarms.', 'how-to/plant-engineer.html'],
  ['ML engineer', 'Use the library, add a method of your own.', 'how-to/ml-engineer.html'],
  ['Researcher', 'Reproduce the paper, compare methods.', 'how-to/researcher.html'],
  ['Admin', 'Install, secure, back up, scale out.', 'how-to/admin.html'],
] as const

/** The readme in two parts: its first sentence, and everything after its first picture. */
export function splitReadme(markdown: string): { lead: string; rest: string } {
  const [, lead = '', rest = ''] = /^# .*\n+([\s\S]*?)\n\n([\s\S]*)$/.exec(markdown) ?? []
  return { lead: lead.replaceAll('\n', ' '), rest: rest.replace(/^!\[[^\]]*\]\([^)]*\)$/m, '') }
}

/** The top of the first page: one sentence, two ways in, the running page, and a door for each role. */
export function hero(lead: string, picture: string): string {
  const to = (target: string) => relative('index.html', target)
  const cards = ROLES.map(
    ([role, about, path]) => `<a class="role" href="${to(path)}"><strong>${role}</strong><span>${about}</span></a>`,
  )
  return `<section class="hero"><div><h1>pb-oel</h1><p>${escaped(lead)}</p>
<p class="row"><a class="button primary" href="${to('playground/index.html')}">Try it in the browser</a>
<a class="button" href="${to('tutorial.html')}">Ten-minute tutorial</a></p></div>
<img src="${picture}" width="1280" height="860" alt="The live view: level, timeline and channels of a simulated dive"></section>
<nav class="roles" aria-label="By role">${cards.join('')}</nav>`
}
