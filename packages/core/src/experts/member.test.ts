import { expect, it } from 'vitest'
import { defineLearner, type Learner } from '../learners/learner.ts'
import { option } from '../options/option.ts'
import { SCRIPTED_EXTENSIONS } from '../testing/scripted.ts'
import { createMembers } from './member.ts'

const X = Float64Array.of(1)

const heard: unknown[] = []
/** A learner that notes how it is made and what it hears. */
const LISTENING = defineLearner({
  name: 'listening',
  title: 'listening',
  summary: 'notes what it hears',
  options: {},
  create: (shape, options): Learner => {
    heard.push(['made', shape, Object.keys(options ?? {})])
    return {
      predict() {},
      learn: (x, level) => heard.push(['learn', x, level]),
      refute: (x, level) => heard.push(['refute', x, level]),
      transfer() {},
    }
  },
})
const DRAWING = defineLearner({
  ...LISTENING,
  name: 'drawing',
  options: { seed: option.integer({ from: 0, to: 9, default: 0, about: 'The seed.' }) },
})
const learners = { ...SCRIPTED_EXTENSIONS.learners, './listening.ts': LISTENING, './drawing.ts': DRAWING }
const EXTENSIONS = { learners }

it('learners that draw at random are given the seed of the ensemble, unless they have their own', () => {
  const members = [{ kind: './seeded.ts' }, { kind: './seeded.ts', seed: 1 }]
  const said = (seed?: number) =>
    createMembers(members, 1, 3, EXTENSIONS, seed).map((expert) => {
      const out = new Float64Array(3)
      expert.predict(X, out, 0)
      return out.indexOf(1)
    })
  expect([said(), said(2)]).toEqual([
    [0, 1],
    [2, 1],
  ])
  for (const seed of [undefined, 2]) {
    createMembers([{ kind: './listening.ts' }, { kind: './drawing.ts' }], 1, 3, EXTENSIONS, seed)
  }
  expect(heard).toEqual([[], [], [], ['seed']].map((given) => ['made', { channels: 1, levels: 3 }, given]))
})

it('a learner hears labels, and rejections where it can use them', () => {
  const members = [{ kind: './listening.ts' }, { kind: './seeded.ts' }]
  const experts = createMembers(members, 1, 3, EXTENSIONS)
  heard.length = 0
  for (const expert of experts) {
    expert.teach(X, 0, 2)
    expert.refute(X, 1, 0)
  }
  expect(heard).toEqual([
    ['learn', X, 2],
    ['refute', X, 0],
  ])
})

it('an unknown kind is refused with the names of those known', () => {
  expect(() => createMembers([{ kind: 'oracle' }], 1, 3)).toThrow(/members\[0\]\.kind .*one of persistence, /)
})
