import type { IncomingMessage } from 'node:http'
import { plainForwardedFor } from '@almoner/domain/access'
import type { onRequestHookHandler } from 'fastify'
import { faultOfQuery, readQuery } from '../request/parameters.ts'
import { closeWithConnection } from './connections.ts'

/**
 * Replaces the addresses of `X-Forwarded-For` by plain ones (A8). Fastify compares them with those of trusted proxies, and returns one as
 * it is: with a port every connection of a client would have another address.
 */
export const readForwardedFor = ({ headers }: Pick<IncomingMessage, 'headers'>): void => {
  const field = headers['x-forwarded-for']
  if (field !== undefined) headers['x-forwarded-for'] = plainForwardedFor(String(field))
}

/** Reads heads in an application around the API as the whole server does, which has read a part of them before its hooks. */
export const readHead: onRequestHookHandler = (request, reply, done) => {
  closeWithConnection(request.raw, reply.raw)
  readForwardedFor(request.raw)
  // The application may read queries in another way.
  request.query = readQuery(request.url.split('?', 2)[1] ?? '')
  done(faultOfQuery(request.query))
}
