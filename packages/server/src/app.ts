import { randomBytes } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import { asyncApi, Problem } from '@pb-oel/protocol'
import Fastify, { type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { guard } from './auth/guard.ts'
import { Tickets } from './auth/tickets.ts'
import { BACKUPS } from './backup/backups.ts'
import { influxRoutes, influxSystem } from './bridges/influx/routes.ts'
import { mappingRoutes } from './bridges/mapping/routes.ts'
import { bridgeOf, isHop, routeToOwners } from './cluster/routing.ts'
import { NotFound, ServiceError } from './errors.ts'
import { AllowedMethods } from './http/allowed-methods.ts'
import { answerWriter } from './http/answer-writer.ts'
import { requestCheck } from './http/body-check.ts'
import { compressAnswers } from './http/compression.ts'
import { Connections } from './http/connections.ts'
import type { App, Context, SchemaTypes } from './http/context.ts'
import { allowOrigins } from './http/cross-origin.ts'
import { describeApi } from './http/describe-api.ts'
import type { Limits } from './http/limits.ts'
import { NDJSON } from './http/ndjson.ts'
import { PROBLEM_TYPE, problemOf, sendProblem } from './http/problems.ts'
import { alarmRoutes } from './http/routes/alarm.ts'
import { alarmListRoutes } from './http/routes/alarms.ts'
import { backupRoutes } from './http/routes/backups.ts'
import { clusterRoutes } from './http/routes/cluster.ts'
import { eventRoutes } from './http/routes/events.ts'
import { exclusionRoutes } from './http/routes/exclusions.ts'
import { explanationRoutes } from './http/routes/explanation.ts'
import { exportRoutes } from './http/routes/export.ts'
import { feedbackRoutes } from './http/routes/feedback.ts'
import { logRoutes } from './http/routes/log.ts'
import { operationRoutes } from './http/routes/operations.ts'
import { pageRoutes } from './http/routes/page.ts'
import { peopleRoutes } from './http/routes/people.ts'
import { queueRoutes } from './http/routes/queue.ts'
import { referenceRoutes } from './http/routes/reference.ts'
import { sampleRoutes } from './http/routes/samples.ts'
import { simulationRoutes } from './http/routes/simulation.ts'
import { stretchRoutes } from './http/routes/stretches.ts'
import { systemRoutes } from './http/routes/systems.ts'
import { tokenRoutes } from './http/routes/tokens.ts'
import { whatIfRoutes } from './http/routes/what-if.ts'
import { traceRequests } from './http/trace-requests.ts'

const ROUTES = [
  systemRoutes,
  sampleRoutes,
  feedbackRoutes,
  queueRoutes,
  logRoutes,
  exportRoutes,
  explanationRoutes,
  alarmRoutes,
  alarmListRoutes,
  exclusionRoutes,
  stretchRoutes,
  peopleRoutes,
  whatIfRoutes,
  tokenRoutes,
  operationRoutes,
  backupRoutes,
  simulationRoutes,
]

/** Sent with every answer. The page is self-contained: nothing from elsewhere may be loaded, run or framed. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Sent as well where TLS ends here: browsers then never try without. */
const TLS_HEADERS = { 'strict-transport-security': 'max-age=31536000' }

function isSecure(options: FastifyServerOptions): boolean {
  return (options as { https?: object }).https !== undefined
}

/** The HTTP application: limits, security, errors, then the routes. */
export async function createApp(context: Context, limits: Limits, options: FastifyServerOptions = {}): Promise<App> {
  const app = bareApp(limits, options)
  answerProblems(app)
  app.setValidatorCompiler(requestCheck())
  app.setSerializerCompiler(answerWriter)
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload))
  const { tokens, cluster, origins = [] } = context
  if (context.telemetry) traceRequests(app, context.telemetry)
  watchRequests(app, context, limits, { ...HEADERS, ...(isSecure(options) && TLS_HEADERS) })
  await limitRates(app, context, limits)
  await compressAnswers(app)
  allowOrigins(app, origins)
  const tickets = new Tickets(cluster?.secret ?? randomBytes(32), tokens)
  const hop = cluster && { bridgeOf: (request: FastifyRequest) => bridgeOf(request, cluster.secret) }
  guard(app as never, { tokens, tickets, time: context.service.time, origins, ...hop })
  if (context.cluster) {
    const { node, secret } = context.cluster
    const elsewhere = ({ routeOptions, method }: FastifyRequest) => {
      const { url = '' } = routeOptions
      if (/^\/v1\/backups?(\/|$)/.test(url)) return BACKUPS
      return url === '/v1/simulation' && method === 'GET' ? context.simulation?.setting.system : undefined
    }
    routeToOwners(app as never, node, secret, (request) => influxSystem(request) ?? elsewhere(request))
  }
  await describeApi(app)
  for (const routes of ROUTES) routes(app, context)
  eventRoutes(app, context, tickets)
  influxRoutes(app, context, limits.bodyBytes)
  mappingRoutes(app, context)
  if (context.cluster) clusterRoutes(app, context.cluster.node)
  const hidden = { config: { permission: 'public' as const }, schema: { hide: true } as object }
  app.get('/openapi.json', hidden, async () => app.swagger())
  const events = asyncApi()
  app.get('/asyncapi.json', hidden, async () => events)
  await referenceRoutes(app)
  pageRoutes(app)
  return app
}

function bareApp(limits: Limits, options: FastifyServerOptions): App {
  // Heads that drip in are looked for every second.
  const checks = { connectionsCheckingInterval: 1_000, headersTimeout: limits.headSeconds * 1000, requestTimeout: 0 }
  const { https } = options as { https?: object }
  const app: App = Fastify({
    ...options,
    ...((https ? { https: { ...https, ...checks } } : { http: checks }) as object),
    bodyLimit: limits.bodyBytes,
    connectionTimeout: limits.idleSeconds * 1000,
    // A stream of lines may go on for days; bodies that must be short have a deadline of their own.
    requestTimeout: 0,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply as never),
    clientErrorHandler: (_error, socket) => {
      const document = JSON.stringify(problemOf(new ServiceError(400, 'Invalid request', 'this is not HTTP')))
      const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: ${PROBLEM_TYPE}\r\nconnection: close\r\n`
      const answer = `${head}content-length: ${document.length}\r\n\r\n${document}`
      // Whoever drips a request in need not be waited for at its end either.
      if (socket.writable) socket.end(answer, () => socket.destroy())
      else socket.destroy()
    },
  }).withTypeProvider<SchemaTypes>()
  shedLoad(app, limits, options)
  return app
}

/** Refuses what comes over a connection too many; whoever asks for health is always answered. */
function shedLoad(app: App, limits: Limits, options: FastifyServerOptions): void {
  const connectionsPerAddress = options.trustProxy ? limits.connections : limits.connectionsPerAddress
  const connections = new Connections(app.server, { ...limits, connectionsPerAddress }, isSecure(options))
  app.addHook('onRequest', async (request, reply) => {
    if (!connections.isOver(request.raw.socket)) return
    reply.header('connection', 'close')
    if (isHealth(request)) return
    throw new ServiceError(503, 'Too many connections', 'every connection of this server is in use', 1)
  })
}

function isHealth({ url }: FastifyRequest): boolean {
  return url === '/healthz'
}

/** Errors become problem documents, in answers and in the document of the API. */
function answerProblems(app: App): void {
  const allowed = new AllowedMethods(app)
  app.setErrorHandler((error, request, reply) => void sendProblem(error as Error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?')[0].slice(0, 200)
    const methods = allowed.at(address)
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '))
      const detail = `${address} takes ${methods.join(', ')}, not ${request.method}`
      void sendProblem(new ServiceError(405, 'Method not allowed', detail), request, reply)
      return
    }
    void sendProblem(new NotFound(`there is nothing at ${request.method} ${address}`), request, reply)
  })
  app.addHook('onRoute', (route) => {
    const response = (route.schema as { response?: Record<string, unknown> } | undefined)?.response
    if (response && !response['4xx']) {
      response['4xx'] = { description: 'what is wrong', content: { [PROBLEM_TYPE]: { schema: Problem } } }
      response['5xx'] = { description: 'what failed', content: { [PROBLEM_TYPE]: { schema: Problem } } }
    }
  })
}

/** Headers and a deadline for every request, a line in the log and a figure for every answer. */
function watchRequests(app: App, { metrics, service }: Context, limits: Limits, headers: Record<string, string>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    const { raw } = request
    const cancel = service.time.clock.after(limits.idleSeconds * 1000, () => {
      if (!raw.complete && !raw.headers['content-type']?.startsWith(NDJSON)) raw.destroy()
    })
    raw.once('close', cancel)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode, elapsedTime } = reply
    const refused = statusCode === 401 || statusCode === 403 || statusCode === 429
    const by = request.principal?.name
    request.log[refused ? 'warn' : 'debug']({ req: request, statusCode, by, ms: Math.round(elapsedTime) }, 'request')
    metrics.request(request.method, request.routeOptions.url ?? 'none', statusCode, elapsedTime / 1000)
  })
}

async function limitRates(app: App, { cluster }: Context, { requestsPerSecond }: Limits): Promise<void> {
  await app.register(rateLimit, {
    max: requestsPerSecond,
    timeWindow: 1000,
    // A request that another worker passes on was counted there.
    allowList: (request) => isHealth(request) || (cluster !== undefined && isHop(request, cluster.secret)),
    errorResponseBuilder: () =>
      new ServiceError(429, 'Too many requests', `more than ${requestsPerSecond} requests in a second`, 1),
  })
}
