import type { Ports } from '@almoner/domain'
import { type ActiveSession, REQUIREMENTS } from '@almoner/domain/access'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { addRoute } from '../add-route.ts'
import type { Problem } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { type SessionParts, sessionCallers, sessionOf } from './callers.ts'
import { type ChangeParts, makeChangeStreams } from './change-streams.ts'

const TOO_MANY: Problem = {
  code: 'too_many_requests',
  detail: 'Too many pages listen for changes.',
  headers: { 'Retry-After': '60' },
}

/** `X-Accel-Buffering` keeps nginx from holding events back. The connection serves nothing else, so that no shutdown waits for it. */
const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

/** The parts of the route of events. */
export interface EventParts extends SessionParts {
  readonly ports: Pick<Ports, 'clock' | 'sessions'>
  readonly changes: ChangeParts
  /** Registers a function that is called when the server is about to stop. */
  readonly onEnding: (listener: () => void) => void
}

/** Returns whether a session still counts. Looking does not put its idle end off; an outage does not end the stream. */
const stillCounts =
  ({ sessions, clock }: EventParts['ports'], { session: { digest } }: ActiveSession) =>
  async (): Promise<boolean> => {
    const found = await sessions.find(digest, clock.now())()
    return E.isLeft(found) || O.isSome(found.right)
  }

/** Adds the stream of server-sent events: `change` whenever data may have changed. It ends with the session (M4) and with the server. */
export const addEvents = (app: FastifyInstance, parts: EventParts): void => {
  const streams = makeChangeStreams(parts.changes)
  parts.onEnding(streams.end)
  app.addHook('preClose', async () => streams.end())
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/events',
    onRequest: [sessionCallers(parts).onRequest(REQUIREMENTS.useOwnAccount, false)],
    handler: async (request, reply) => {
      const active = sessionOf(request)
      reply.headers(HEADERS).type('text/event-stream')
      if (request.method === 'HEAD') return reply.send()
      const { manager } = active
      const stream = streams.open({ manager: manager.email, isCurrent: stillCounts(parts.ports, active) })
      return stream === undefined ? sendProblem(request, reply, TOO_MANY) : reply.send(stream)
    },
  })
}
