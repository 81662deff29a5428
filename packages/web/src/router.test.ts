import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentLink, parseQuery, parseRoute, systemLink } from './router.ts'

describe('addresses', () => {
  it.each([
    ['', { view: 'overview' }],
    ['#/', { view: 'overview' }],
    ['#/sign-in', { view: 'sign-in' }],
    ['#/alarms?show=hidden', { view: 'alarms' }],
    ['#/new', { view: 'new' }],
    ['#/people', { view: 'people' }],
    ['#/tour', { view: 'tour' }],
    ['#/tour/x', { view: 'unknown' }],
    ['#/systems/a/settings', { view: 'settings', system: 'a' }],
    ['#/systems/a', { view: 'live', system: 'a' }],
    ['#/systems/a/review', { view: 'review', system: 'a' }],
    ['#/systems/a/at/12', { view: 'moment', system: 'a', event: 12 }],
    ['#/systems/a/history?who=eva%2Fb', { view: 'history', system: 'a' }],
    ['#/systems/a/at/2026-11-15T10:00:00.250Z', { view: 'moment-at', system: 'a', time: 1_794_736_800_250 }],
    ['#/systems/a/at/x', { view: 'unknown' }],
    ['#/systems/a/b', { view: 'unknown' }],
    ['#/systems/%E0%A4%A', { view: 'live', system: '%E0%A4%A' }],
  ])('%s', (hash, route) => expect(parseRoute(hash)).toEqual(route))

  it('what stands behind the question mark is told apart from the view', () => {
    expect(parseQuery('#/systems/a?last=300&who=eva%2Fb')).toEqual({ last: '300', who: 'eva/b' })
    expect(parseQuery('#/systems/a')).toEqual({})
  })

  it('a link leads to what it was made for, and no text breaks the page', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (system, event) => {
        expect(parseRoute(momentLink(system, event))).toEqual({ view: 'moment', system, event })
        expect(parseRoute(systemLink(system, 'history'))).toEqual({ view: 'history', system })
        expect(parseRoute(system).view).toBeTypeOf('string')
      }),
    )
  })
})
