import { UnknownVersion } from '@pb-oel/protocol'
import { expect, it } from 'vitest'
import { LaterRelease } from '../errors.ts'
import { configure } from '../fold/configure.ts'
import { PLANT } from '../testing/local-server.ts'
import { checkChange, checkConfiguration, understanding } from './later-release.ts'

it('what a later release wrote is refused and never computed as if it were understood', () => {
  const { id, ...given } = PLANT
  const configuration = configure(id, given)
  const check = (more: object) => () => checkConfiguration(id, 3, { ...configuration, ...more })
  check({})()
  check({ edition: undefined })()
  expect(check({ edition: 3 })).toThrow('record 3 has edition 3, and 2 is the latest')
  expect(check({ colour: 'red' })).toThrow('record 3 has a setting "colour"')
  checkChange(id, 4, { title: 'x' })
  expect(() => checkChange(id, 4, { colour: 'red' } as never)).toThrow('record 4 has a setting "colour"')
  const record = { sequence: 5, time: 1, body: '{}', hash: '' }
  const feed = (kind: string, work = () => {}) => understanding(id, { ...record, kind: kind as 'sample' }, work)
  expect(() => feed('song')).toThrow('record 5 is a "song" record')
  expect(() =>
    feed('sample', () => {
      throw new Error('other')
    }),
  ).toThrow('other')
  const later = () => {
    throw new UnknownVersion('sample', 9)
  }
  expect(() => feed('sample', later)).toThrow(LaterRelease)
})
