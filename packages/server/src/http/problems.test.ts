import { FeedbackError, OptionError, RepeatedFeedbackError, SampleError, UnknownAssessmentError } from '@pb-oel/core'
import { InvalidShape } from '@pb-oel/protocol'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { Conflict, Gone, NotFound, NotReady, ServiceError, StorageError } from '../errors.ts'
import { problemOf, sendProblem } from './problems.ts'

const status = (statusCode: number) => Object.assign(new Error('as Fastify says'), { statusCode })

describe('the problem document of an error', () => {
  it.each<[Error, number, string]>([
    [new InvalidShape('sample', '/at', 'expected'), 400, 'Invalid request'],
    [new UnknownAssessmentError(9, 'x'), 404, 'Unknown assessment'],
    [new RepeatedFeedbackError(9), 409, 'Already answered'],
    [new SampleError('x', -1, 0), 422, 'Invalid sample'],
    [new FeedbackError('level', 9, '0 to 2'), 422, 'Invalid feedback'],
    [new OptionError('c', 0, 'a number'), 422, 'Invalid option'],
    [new NotFound('x'), 404, 'Not found'],
    [new Conflict('x'), 409, 'Conflict'],
    [new Gone('x'), 410, 'Gone'],
    [new StorageError('x'), 507, 'Storage unavailable'],
    [status(408), 408, 'Request timeout'],
    [status(413), 413, 'Too large'],
    [status(414), 414, 'Address too long'],
    [status(415), 415, 'Unsupported media type'],
    [status(429), 429, 'Too many requests'],
    [status(400), 400, 'Invalid request'],
  ])('%s: %d %s', (error, code, title) => {
    const type = `urn:pb-oel:problem:${title.toLowerCase().replaceAll(' ', '-')}`
    expect(problemOf(error)).toMatchObject({ type, title, status: code })
  })

  it.each([new TypeError('secret'), status(500), status(302), status(399)])(
    'that callers cannot have caused (%s) tells nothing about the inside',
    (error) => {
      expect(problemOf(error)).toEqual({
        ...{ type: 'urn:pb-oel:problem:internal-error', title: 'Internal error', status: 500 },
        detail: 'the server could not do this; its log says why',
      })
    },
  )

  it('quotes at most 500 characters, on one line for every reader of lines', () => {
    expect(problemOf(new NotFound('x'.repeat(501))).detail).toBe('x'.repeat(500))
    const breaks = 'a\r\nb\u0000c\u007fd\u0085e\u2028f\u2029g'
    expect(problemOf(new NotFound(breaks)).detail).toBe('a b c d e f g')
  })
})

describe('the answer to a request that failed', () => {
  const answer = (error: Error) => {
    const app = Fastify()
    app.setErrorHandler((thrown, request, reply) => void sendProblem(thrown as Error, request, reply))
    app.get('/', () => Promise.reject(error))
    return app.inject('/')
  }

  it('says after how many whole seconds to come again, at least one, where that is known', async () => {
    for (const [wait, told] of [
      [0, '1'],
      [0.2, '1'],
      [1.5, '2'],
      [60, '60'],
    ] as const) {
      const { statusCode, headers } = await answer(new NotReady('soon', wait))
      expect([wait, statusCode, headers['retry-after']]).toEqual([wait, 503, told])
    }
    expect((await answer(new Conflict('no'))).headers['retry-after']).toBeUndefined()
  })

  it('says how to sign in where that is what is missing, and nowhere else', async () => {
    const unknown = await answer(new ServiceError(401, 'Unauthorized', 'who are you?'))
    expect(unknown.headers['www-authenticate']).toBe('Bearer realm="pb-oel"')
    expect(unknown.headers['content-type']).toBe('application/problem+json')
    expect((await answer(new ServiceError(403, 'Forbidden', 'no'))).headers['www-authenticate']).toBeUndefined()
  })
})
