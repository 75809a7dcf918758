import type { Ports } from '@almoner/domain'
import { REQUIREMENTS } from '@almoner/domain/access'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { addRoute } from '../add-route.ts'
import type { Problem } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import type { RouteAccess } from '../request/authentication.ts'
import { type SessionParts, sessionOf } from './callers.ts'
import { type ChangeParts, makeChangeStreams, type StreamParts } from './change-streams.ts'
import { sessionHooks } from './own-route.ts'

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

/** Returns which sessions still count. Looking does not put their idle end off. */
const current =
  ({ sessions, clock }: EventParts['ports']): StreamParts['current'] =>
  async (digests) => {
    const found = await sessions.current(digests, clock.now())()
    if (E.isLeft(found)) throw new Error('the sessions cannot be read', { cause: found.left.cause })
    return found.right
  }

const ROUTE: RouteAccess = { method: 'GET', access: REQUIREMENTS.useOwnAccount }

/** Adds the stream of server-sent events: `change` whenever data may have changed. It ends with the session (A9) and with the server. */
export const addEvents = (app: FastifyInstance, parts: EventParts): void => {
  const streams = makeChangeStreams({ ...parts.changes, current: current(parts.ports) })
  parts.onEnding(streams.end)
  app.addHook('preClose', async () => streams.end())
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/events',
    ...sessionHooks(parts, ROUTE),
    handler: async (request, reply) => {
      const { manager, session } = sessionOf(request)
      reply.headers(HEADERS).type('text/event-stream')
      if (request.method === 'HEAD') return reply.send()
      const stream = streams.open({ manager: manager.email, session: session.digest })
      return stream === undefined ? sendProblem(request, reply, TOO_MANY) : reply.send(stream)
    },
  })
}
