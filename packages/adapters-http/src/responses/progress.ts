import { Readable } from 'node:stream'
import type { Report } from '@almoner/domain/portfolio'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { type Problem, problemBody } from '../problems/problem.ts'
import { problemOfError } from '../problems/send-problem.ts'
import { recordFault } from '../request-context.ts'
import type { RouteResponse } from './headers.ts'

/** The type of a response that says how far the work is: a line of JSON each time, and at last one with the result. */
const LINES = 'application/x-ndjson'

/** nginx passes lines on at once. Proxies that hold them back delay the progress, not the result. */
const HEADERS = { 'x-accel-buffering': 'no' }

/** What a route responds with; undefined if the response has been sent. */
export type Outcome = E.Either<Problem, RouteResponse> | undefined

type Respond = (outcome: Outcome) => Promise<FastifyReply> | FastifyReply

const takesLines = ({ headers }: FastifyRequest): boolean => headers.accept?.includes(LINES) === true

const lastLine = (request: FastifyRequest, outcome: Outcome): string => {
  if (outcome === undefined || E.isRight(outcome)) {
    const result = outcome?.right
    return `{"result":${result?.kind === 'json' ? result.text : 'null'}}\n`
  }
  const { left: problem } = outcome
  if (problem.cause !== undefined) recordFault(request, problem.cause)
  return `${JSON.stringify({ problem: problemBody(problem, request.id) })}\n`
}

/**
 * Does work that reports its steps, and responds. If the client takes lines of JSON, the response begins with the first report; until then,
 * and for all other clients, the response is an ordinary one. A step is reported at most a hundred times.
 */
export const respondWithProgress = async (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (report: Report) => Promise<Outcome>,
  respond: Respond,
): Promise<FastifyReply> => {
  if (!takesLines(request)) return respond(await work(() => {}))
  const lines = new Readable({ read: () => {} })
  const begun = Promise.withResolvers<'begun'>()
  let latest = ''
  const outcome = work((step, done, of) => {
    const present = `${step} ${Math.floor((100 * done) / of)}`
    if (present === latest) return
    latest = present
    lines.push(`${JSON.stringify({ progress: { step, done, of } })}\n`)
    begun.resolve('begun')
  })
  const first = await Promise.race([outcome, begun.promise])
  if (first !== 'begun') return respond(first)
  const ended = outcome.catch((error: unknown): Outcome => E.left(problemOfError(error)))
  void ended.then((result) => {
    lines.push(lastLine(request, result))
    lines.push(null)
  })
  return reply.headers(HEADERS).type(LINES).send(lines)
}
