import { decode } from '@almoner/domain'
import type { ActiveSession } from '@almoner/domain/managers'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { problemOf, type UseCaseFailure } from '../problems/problem-of-failure.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import type { RouteAccess } from '../request/authentication.ts'
import { type AnyParameters, parametersOf } from '../request/parameters.ts'
import type { RouteDescription } from '../route.ts'
import { type SessionParts, sessionCallers, sessionOf } from './callers.ts'
import { NO_STORE } from './sign-in-response.ts'

type Described<P extends AnyParameters> = Omit<RouteDescription, 'parameters'> & { readonly parameters: P }

/** Returns the hooks by which a route finds its session: at its head, and again before it changes anything (A9). */
export const sessionHooks = (parts: SessionParts, route: RouteAccess) => {
  const { atHead, atUse } = sessionCallers(parts)(route)
  return { onRequest: [atHead], preHandler: route.method === 'GET' ? [] : [atUse] }
}

/** Adds a route that works on the session; presence is checked by the description. */
export const addOwn = <P extends AnyParameters>(
  app: FastifyInstance,
  parts: SessionParts,
  route: Described<P>,
  run: (active: ActiveSession, parameters: t.TypeOf<P>) => TE.TaskEither<UseCaseFailure, unknown>,
): void => {
  const read = decode<t.TypeOf<P>>(route.parameters)
  addRoute(app, {
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    config: { route },
    ...sessionHooks(parts, route),
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, route.parameters))
      if (E.isLeft(sent)) return respondWithProblem(request, reply, problemOf(sent.left))
      const done = await run(sessionOf(request), sent.right)()
      return E.isLeft(done)
        ? respondWithProblem(request, reply, problemOf(done.left))
        : reply.headers(NO_STORE).send(done.right)
    },
  })
}
