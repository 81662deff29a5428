import type { Role } from '@pb-oel/protocol'
import { afterEach, expect, it } from 'vitest'
import { author, isAdmin, mayAnswer, mayRead, me, personName, signInNeeded } from './session.ts'

afterEach(() => {
  me.value = null
})

it.each<[Role[], may: { read: boolean; answer: boolean; admin: boolean }]>([
  [['sensor'], { read: false, answer: false, admin: false }],
  [['viewer'], { read: true, answer: false, admin: false }],
  [['reviewer'], { read: true, answer: true, admin: false }],
  [['admin'], { read: true, answer: true, admin: true }],
  [['sensor', 'reviewer'], { read: true, answer: true, admin: false }],
])('%j may do what its roles say', (roles, may) => {
  me.value = { name: 'eva', roles, systems: ['*'], open: false }
  expect({ read: mayRead.value, answer: mayAnswer.value, admin: isAdmin.value }).toEqual(may)
  // The token says who it is: the page says nothing beside it.
  expect([signInNeeded.value, personName.value, author()]).toEqual([false, 'eva', {}])
})

it('nobody may do anything before the server has told who it is, and a token is wanted where it has none', () => {
  expect([mayRead.value, mayAnswer.value, isAdmin.value, signInNeeded.value]).toEqual([false, false, false, false])
  me.value = { name: '', roles: [], systems: [], open: false }
  expect([mayRead.value, mayAnswer.value, isAdmin.value, signInNeeded.value]).toEqual([false, false, false, true])
})

it('on an open server the name that was typed goes with what is written', () => {
  me.value = { name: 'local', roles: ['admin'], systems: ['*'], open: true }
  expect(author()).toEqual({ by: personName.value })
  expect(personName.value).toMatch(/^guest-[0-9a-f]{4}$/)
  expect(signInNeeded.value).toBe(false)
})
