import { expect, it } from 'vitest'
import * as errors from './errors.ts'

it('an error tells clients by its status whether to mend the request, wait or repeat it', () => {
  const { InvalidRequest, NotFound, Conflict, KeyUsed, TooLarge, Gone, TooLate } = errors
  const { StorageError, Unconfirmed, NotReady } = errors
  const status = [InvalidRequest, NotFound, Conflict, KeyUsed, TooLarge, Gone, TooLate, StorageError].map((Kind) => {
    const error = new Kind('x')
    return [error.status, error.title, error.retryAfter]
  })
  expect(status).toEqual([
    [400, 'Invalid request', undefined],
    [404, 'Not found', undefined],
    [409, 'Conflict', undefined],
    [409, 'Conflict', undefined],
    [422, 'Too large', undefined],
    [410, 'Gone', undefined],
    [410, 'Too late', undefined],
    [507, 'Storage unavailable', undefined],
  ])
  expect(new Unconfirmed('x')).toMatchObject({ status: 503, title: 'Unconfirmed', retryAfter: 1 })
  expect(new Unconfirmed('x').message).toContain('send it again with the same key')
  expect(new StorageError('x').message).toContain('nothing of this request was kept')
  expect([new NotReady('x'), new NotReady('x', 7)].map((error) => [error.status, error.retryAfter])).toEqual([
    [503, 1],
    [503, 7],
  ])
})
