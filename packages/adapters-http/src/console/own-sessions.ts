import type { Ports } from '@almoner/domain'
import { makeEndOtherSessions, makeListOwnSessions, REQUIREMENTS } from '@almoner/domain/access'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { addRoute } from '../add-route.ts'
import { problemOf } from '../problems/problem-of-failure.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import { encodeOneSession } from '../serializers/sessions.ts'
import { type SessionParts, sessionCallers, sessionOf } from './callers.ts'

/** Adds the routes that list the sessions of the signed-in manager, and end all but this one (M4). */
export const addOwnSessions = (
  app: FastifyInstance,
  ports: Pick<Ports, 'clock' | 'sessions'>,
  parts: SessionParts,
): void => {
  const onRequest = [sessionCallers(parts).onRequest(REQUIREMENTS.useOwnAccount, false)]
  const list = makeListOwnSessions(ports)
  const endOthers = makeEndOtherSessions(ports)
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/sessions',
    onRequest,
    handler: async (request, reply) => {
      const found = await list(sessionOf(request))()
      return E.isLeft(found)
        ? respondWithProblem(request, reply, problemOf(found.left))
        : { sessions: found.right.map(encodeOneSession) }
    },
  })
  addRoute(app, {
    method: 'DELETE',
    url: '/sessions',
    onRequest,
    handler: async (request, reply) => {
      const ended = await endOthers(sessionOf(request))()
      return E.isLeft(ended)
        ? respondWithProblem(request, reply, problemOf(ended.left))
        : { ended: ended.right }
    },
  })
}
