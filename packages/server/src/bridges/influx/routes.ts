import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../auth/roles.ts'
import { InvalidRequest, ServiceError } from '../../errors.ts'
import { unread } from '../../http/body-check.ts'
import { type App, author, type Context } from '../../http/context.ts'
import { problemOf } from '../../http/problems.ts'
import type { Service } from '../../service/service.ts'
import { InvalidLine, readPoints } from './line-protocol.ts'
import { PRECISIONS, samplesOf } from './samples-of-points.ts'

/** Where clients write: InfluxDB 2 and 3, and InfluxDB 1. */
const ADDRESSES = ['/api/v2/write', '/write']

interface Query {
  bucket?: string
  db?: string
  precision?: string
}

/** The system that a request writes to: its bucket, or as InfluxDB 1 has it its database. */
export function influxSystem({ routeOptions, query }: FastifyRequest): string | undefined {
  if (!ADDRESSES.includes(routeOptions.url ?? '')) return undefined
  const { bucket, db } = query as Query
  return bucket ?? db ?? ''
}

/**
 * Takes what Telegraf and the clients of InfluxDB write. The answer 204 comes when every sample is on disk.
 *
 * @param limit most bytes of a body, also when it is unpacked
 */
export function influxRoutes(app: App, { service }: Context, limit: number): void {
  const hidden = { hide: true } as object
  // Clients ask whether somebody is there before they write.
  app.get('/ping', { config: { permission: 'public' }, schema: hidden }, async (_request, reply) =>
    reply.header('x-influxdb-version', 'pb-oel').code(204).send(),
  )
  app.register(async (scope) => {
    // Whatever a client calls it, a body is lines.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const url of ADDRESSES) {
      scope.post(url, {
        config: { permission: 'sample', takesInfluxTokens: true },
        validatorCompiler: unread,
        schema: hidden,
        errorHandler: (error, _request, reply) => void refuse(reply, error as Error),
        handler: async (request, reply) => {
          await write(service, request, await textOf(request, limit))
          return reply.code(204).send()
        },
      })
    }
  })
}

async function textOf({ body, headers }: FastifyRequest, limit: number): Promise<string> {
  const bytes = (body ?? Buffer.alloc(0)) as Buffer
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return bytes.toString()
  if (encoding !== 'gzip') throw new ServiceError(415, 'Unsupported media type', 'content-encoding: expected gzip')
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: limit })).toString()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_BUFFER_TOO_LARGE') throw new InvalidRequest('the body is not gzip')
    throw new ServiceError(413, 'Too large', `the body has more than ${limit} bytes when it is unpacked`)
  }
}

async function write(service: Service, request: FastifyRequest, text: string): Promise<void> {
  const { precision = 'ns' } = request.query as Query
  const id = influxSystem(request) as string
  if (id === '') throw new InvalidRequest('expected the name of a system as bucket, or as db')
  if (!Object.hasOwn(PRECISIONS, precision)) {
    throw new InvalidRequest(`precision: expected ns, us, ms or s, got ${JSON.stringify(precision.slice(0, 20))}`)
  }
  if (!allows(request.principal, 'sample', id)) {
    throw new ServiceError(403, 'Forbidden', `${request.principal.name} may not do this`)
  }
  const { channels } = service.get(id)
  const read = readPoints(text)
  const { moments, wrong } = samplesOf(read.points, channels, PRECISIONS[precision])
  const refused = [...read.wrong, ...wrong]
  const by = author(request)
  const results = await Promise.allSettled(moments.map(({ sample }) => service.sample(id, sample, by)))
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') return
    const { status, detail } = problemOf(result.reason)
    // The store refuses or the system is being rebuilt: the client sends the whole batch again.
    if (status >= 500) throw result.reason
    refused.push(new InvalidLine(moments[i].line, detail))
  })
  if (refused.length > 0) throw partial(refused, results.length - (refused.length - read.wrong.length - wrong.length))
  if (moments.length === 0) {
    throw new InvalidRequest(`no field is named like a channel of ${id}: ${channels.slice(0, 20).join(', ')}`)
  }
}

/** What InfluxDB calls a partial write: what is right was taken, and the first that is not is told. */
function partial(refused: readonly InvalidLine[], taken: number): ServiceError {
  const [first] = [...refused].sort((a, b) => a.line - b.line)
  const others = refused.length > 1 ? `; ${refused.length - 1} more refused` : ''
  const samples = taken === 1 ? '1 sample was' : `${taken} samples were`
  return new ServiceError(400, 'Partial write', `${first.message}${others}; ${samples} taken`)
}

/**
 * A problem document with the fields that clients of InfluxDB show. They read nothing that is not called JSON.
 */
function refuse(reply: FastifyReply, error: Error): FastifyReply {
  const document = problemOf(error)
  if (document.status >= 500 && document.status !== 503) reply.log.error(error)
  const wait = error instanceof ServiceError ? error.retryAfter : undefined
  if (wait !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(wait))))
  const { detail = document.title } = document
  const told = { ...document, code: CODES[document.status] ?? 'invalid', message: detail, error: detail }
  return reply.code(document.status).type('application/json').serializer(JSON.stringify).send(told)
}

/** The words of InfluxDB for what went wrong. */
const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  413: 'request too large',
  429: 'too many requests',
  500: 'internal error',
  503: 'unavailable',
}
