import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf } from '../request-context.ts'
import { PROBLEMS } from './catalogue.ts'
import { PROBLEM_TYPE, type Problem, problemBody } from './problem.ts'

/** Sends a problem (I1). Its cause goes to the log, not to the caller. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply => {
  if (problem.cause !== undefined) contextOf(request).cause = problem.cause
  return reply
    .code(PROBLEMS[problem.code].status)
    .headers({ ...problem.headers, 'Cache-Control': 'no-store' })
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem, request.id)))
}
