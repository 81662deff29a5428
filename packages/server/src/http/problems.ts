import {
  FeedbackError,
  OptionError,
  PbOelError,
  RepeatedFeedbackError,
  SampleError,
  UnknownAssessmentError,
} from '@pb-oel/core'
import { InvalidShape, type Problem } from '@pb-oel/protocol'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'

/** Media type of problem documents. */
export const PROBLEM_TYPE = 'application/problem+json'

/** The problem document of any error; an error that callers cannot have caused tells nothing about the inside. */
export function problemOf(error: Error): Problem {
  if (error instanceof ServiceError) return problem(error.status, error.title, error.message)
  if (error instanceof InvalidShape) return problem(400, 'Invalid request', error.message)
  if (error instanceof UnknownAssessmentError) return problem(404, 'Unknown assessment', error.message)
  if (error instanceof RepeatedFeedbackError) return problem(409, 'Already answered', error.message)
  if (error instanceof SampleError || error instanceof FeedbackError || error instanceof OptionError) {
    return problem(
      422,
      `Invalid ${error instanceof SampleError ? 'sample' : error instanceof FeedbackError ? 'feedback' : 'option'}`,
      error.message,
    )
  }
  if (error instanceof PbOelError) return problem(422, 'Invalid value', error.message)
  const { statusCode, message } = error as FastifyError
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return problem(statusCode, TITLES[statusCode] ?? 'Invalid request', message)
  }
  return problem(500, 'Internal error', 'the server could not do this; its log says why')
}

const TITLES: Record<number, string> = {
  404: 'Not found',
  408: 'Request timeout',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  429: 'Too many requests',
}

function problem(status: number, title: string, detail: string): Problem {
  const slug = title.toLowerCase().replaceAll(' ', '-')
  // A detail may quote what the caller sent: keep it short, and on one line.
  return { type: `urn:pb-oel:problem:${slug}`, title, status, detail: oneLine(detail).slice(0, 500) }
}

/** Control characters would let a caller write lines of their own into a log or a terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

/** Answers a request with the problem document of an error. */
export function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const document = problemOf(error)
  // Whoever knows why something is not ready logs it, once.
  if (document.status >= 500 && document.status !== 503) request.log.error(error)
  if (document.status === 401) reply.header('www-authenticate', 'Bearer realm="pb-oel"')
  const wait = error instanceof ServiceError ? error.retryAfter : undefined
  if (wait !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(wait))))
  return reply.code(document.status).type(PROBLEM_TYPE).serializer(JSON.stringify).send(document)
}
