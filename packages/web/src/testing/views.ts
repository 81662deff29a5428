import type { Page } from 'playwright-core'

/** A view of the page: its name, its address, and what shows that it is there. */
export interface View {
  name: string
  hash: string
  ready: (page: Page) => Promise<unknown>
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()

/** Every view of the page, with the simulated dive as the system. */
export const VIEWS: readonly View[] = [
  { name: 'overview', hash: '#/', ready: heading('Simulated dive') },
  { name: 'alarms', hash: '#/alarms', ready: heading('Alarms') },
  {
    name: 'live',
    hash: '#/systems/dive',
    ready: (page) => page.locator('.reasons, .reasons-waiting').first().waitFor(),
  },
  {
    name: 'review',
    hash: '#/systems/dive/review',
    ready: (page) => page.getByRole('button', { name: 'Right' }).waitFor(),
  },
  {
    name: 'history',
    hash: '#/systems/dive/history',
    ready: (page) => page.getByRole('cell', { name: 'simulated reviewer' }).first().waitFor(),
  },
  {
    name: 'performance',
    hash: '#/systems/dive/performance',
    ready: (page) => page.getByRole('rowheader', { name: 'simulated reviewer' }).waitFor(),
  },
  { name: 'moment', hash: '#/systems/dive/at/300', ready: (page) => page.getByText('State hash').waitFor() },
  { name: 'connect', hash: '#/systems/dive/connect', ready: (page) => page.locator('main h1').waitFor() },
  { name: 'settings', hash: '#/systems/dive/settings', ready: (page) => page.locator('main h1').waitFor() },
  { name: 'new-system', hash: '#/new', ready: (page) => page.locator('main h1').waitFor() },
  { name: 'people', hash: '#/people', ready: (page) => page.locator('main h1').waitFor() },
  { name: 'tour', hash: '#/tour', ready: heading('Every term in one sentence') },
  { name: 'sign-in', hash: '#/sign-in', ready: (page) => page.getByLabel('Access token').waitFor() },
  { name: 'nothing', hash: '#/nowhere/at/all', ready: (page) => page.getByText('There is nothing here').waitFor() },
]

/** Widths that the page is looked at with: a control room, a desk, a tablet, a phone. */
export const WIDTHS: readonly number[] = [1920, 1440, 820, 390]
