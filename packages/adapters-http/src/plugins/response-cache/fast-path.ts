import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Leaving } from '../../lifecycle/graceful-shutdown.ts'
import { type IsIdle, TIMED_OUT } from '../../lifecycle/idle-connections.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { stateOf } from '../../request-context.ts'
import { isUnchanged } from '../../responses/etag.ts'
import type { ReadyAnswer } from '../../responses/render.ts'
import { SECURITY, withoutSecurity } from '../../responses/security-headers.ts'
import type { Door } from './generations.ts'
import type { Keeping } from './response-cache.ts'

/** What is told of answers that Fastify does not know of, and what they rest on. */
export interface Front {
  readonly keeping: Keeping
  readonly logger: Logger
  readonly metrics: Metrics
  readonly leaving: Leaving
  readonly isIdle: IsIdle
}

const REQUEST_ID = 'x-request-id'

/** The header fields that went out, as they will for the same request: with its id, and with those of the body and of security or without. */
const doorOf = (reply: FastifyReply, answer: ReadyAnswer): Pick<Door, 'answer' | 'fields' | 'unchanged'> => {
  const { etag, ...ofBody } = answer.headers
  const tag = etag === undefined ? {} : { etag }
  const body = { ...ofBody, 'content-length': answer.body.length }
  const common = { ...reply.getHeaders() }
  for (const name of [REQUEST_ID, 'etag', ...Object.keys(body)]) delete common[name]
  const inTurns = (fields: object) =>
    Object.entries({ [REQUEST_ID]: '', ...fields, ...tag }).flatMap(([name, value]) => [name, String(value)])
  return {
    answer,
    fields: inTurns({ ...SECURITY, ...common, ...body }),
    unchanged: inTurns(withoutSecurity(common)),
  }
}

const withId = (fields: ReadonlyArray<string>, id: string): Array<string> => {
  const all = fields.slice()
  all[1] = id
  return all
}

/** Sends what stands behind a door, and says with which status. */
const send = (door: Door, id: string, request: IncomingMessage, response: ServerResponse): number => {
  const { tag, body, headers } = door.answer
  const known = request.headers['if-none-match']
  // Most send the one ETag that they were given, as it was.
  if (tag !== undefined && known !== undefined && (known === headers['etag'] || isUnchanged(known, tag))) {
    response.writeHead(304, withId(door.unchanged, id)).end()
    return 304
  }
  response.writeHead(200, withId(door.fields, id)).end(body)
  return 200
}

/**
 * Answers what has been asked before, with the same token, from what is kept: before Fastify sees it, whose way from hook to hook takes
 * longer than all that is left to do. Whatever the hooks did to the first answer is in the header fields that were kept with it.
 * Everything else, and everything while the server ends its connections, goes on to Fastify.
 */
export const answerInFront = (
  app: FastifyInstance,
  { keeping, logger, metrics, leaving, isIdle }: Front,
): void => {
  app.addHook('onResponse', (request: FastifyRequest, reply, done) => {
    const { shared, caller } = stateOf(request)
    if (shared !== undefined && caller !== undefined && request.method === 'GET' && !leaving.isEnding())
      keeping.open(request, { ...doorOf(reply, shared), caller, route: request.routeOptions.url ?? '' })
    done()
  })

  const tell = (
    door: Door,
    id: string,
    status: number,
    milliseconds: number,
    [whole, idle]: readonly [boolean, boolean],
  ) => {
    leaving.answered()
    if (whole) metrics.add('GET', door.route, status, milliseconds)
    if (!logger.isLevelEnabled('info')) return
    const line = { requestId: id, method: 'GET', route: door.route, client: door.caller.clientId }
    if (whole) logger.info({ ...line, status, ms: Math.round(milliseconds * 10) / 10 }, 'answered')
    else logger.info(line, idle ? TIMED_OUT : 'aborted by the caller')
  }

  const find = (request: IncomingMessage): Door | undefined => {
    if (request.method !== 'GET' || request.headers.host === undefined || leaving.isEnding()) return undefined
    try {
      return keeping.find(request)
    } catch {
      // The store fails when it is asked for its version: Fastify meets the same, and has an answer to it.
      return undefined
    }
  }

  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const door = find(request)
    if (door === undefined) return false
    metrics.lookups.front += 1
    const begun = performance.now()
    const id = randomUUID()
    const status = send(door, id, request, response)
    response.once('close', () =>
      tell(door, id, status, performance.now() - begun, [response.writableFinished, isIdle(request)]),
    )
    return true
  }

  for (const next of app.server.listeners('request') as Array<RequestListener>)
    app.server.off('request', next).on('request', (request, response) => {
      if (!answer(request, response)) next(request, response)
    })
}
