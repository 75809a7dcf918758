import { decode, type Policy, type Ports } from '@almoner/domain'
import type { ManagerChange } from '@almoner/domain/access'
import { personActor } from '@almoner/domain/history'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { NO_SESSION } from '../problems/challenge.ts'
import { badRequest, busy } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { encodeSession } from '../serializers/sessions.ts'
import { sessionOf } from './callers.ts'
import { SetLanguage, SetTimeZone } from './operations.ts'

/** Adds the routes by which a manager chooses language and time zone of the pages (M2). They respond with the session. */
export const addSessionChoices = (
  app: FastifyInstance,
  ports: Pick<Ports, 'clock' | 'managers'>,
  policy: Policy,
  onRequest: ReadonlyArray<onRequestAsyncHookHandler>,
): void => {
  const change = async (request: FastifyRequest, reply: FastifyReply, choice: ManagerChange) => {
    const active = sessionOf(request)
    const act = {
      actor: personActor(active.number),
      action: 'change-manager',
      at: ports.clock.now(),
    } as const
    const changed = await ports.managers.change(active.manager.email, choice, act)()
    if (E.isRight(changed)) return encodeSession({ ...active, manager: changed.right }, policy)
    const { left } = changed
    const problem = left._tag === 'ManagerNotFound' ? NO_SESSION : busy(left.cause)
    return respondWithProblem(request, reply, problem)
  }
  const readLanguage = decode<t.TypeOf<typeof SetLanguage>>(SetLanguage)
  const readTimeZone = decode<t.TypeOf<typeof SetTimeZone>>(SetTimeZone)
  addRoute(app, {
    method: 'PUT',
    url: '/session/language',
    onRequest: [...onRequest],
    handler: async (request, reply) => {
      const sent = readLanguage(parametersOf(request, SetLanguage))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a language.', sent.left.errors))
      return change(request, reply, { lang: sent.right.lang })
    },
  })
  addRoute(app, {
    method: 'PUT',
    url: '/session/time-zone',
    onRequest: [...onRequest],
    handler: async (request, reply) => {
      const sent = readTimeZone(parametersOf(request, SetTimeZone))
      if (E.isLeft(sent))
        return sendProblem(request, reply, badRequest('Send a time zone.', sent.left.errors))
      return change(request, reply, { timeZone: sent.right.timeZone ?? null })
    },
  })
}
