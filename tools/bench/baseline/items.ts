// What the hand-written servers of the bench have in common: their JSON, tags and header fields.
import { hash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { API_VERSION, SECURITY_HEADERS } from '../../../packages/adapters-http/src/responses/headers.ts'
import type { Row } from './sql-statements.ts'

// Writing a time down takes as long as half of an item's JSON, and items that are made at once have the same.
let [last, written] = [0, '']
const timeOf = (moment: number): string => {
  if (moment !== last) [last, written] = [moment, new Date(moment).toISOString()]
  return written
}

/** An item as every caller sees it. */
export const itemOf = (row: Row) => ({
  item: {
    itemId: row.id,
    isDonorRestricted: row.restricted === 1 ? '1' : '0',
    lang: row.lang,
    itemTitle: row.title,
    itemDescription: row.description,
    status: row.status,
    createdAt: timeOf(row.created_at),
    updatedAt: timeOf(row.updated_at),
    link: row.link,
    itemRelatedLink: row.cover_url ?? '',
    itemPublicationDate: row.publication_date,
    coverImgUrl: row.cover_url ?? '',
    notificationImgUrl: row.notification_url ?? '',
  },
})

/** The digest in a tag. */
export const digestOf = (written: string | Buffer): string =>
  hash('sha256', written, 'base64url').slice(0, 16)

/**
 * Writes items, in bytes because they are digested and sent. Of texts with few characters to escape, `JSON.stringify` writes a page faster than a
 * serializer compiled by Fastify.
 */
const write = (rows: ReadonlyArray<Row>): Buffer => Buffer.from(JSON.stringify({ items: rows.map(itemOf) }))

/** Sends JSON. */
export const send = (reply: FastifyReply, body: string | Buffer): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body)

/** Sends one item with its tag. */
export const sendOne = (reply: FastifyReply, row: Row): FastifyReply => {
  const body = write([row])
  reply.header('etag', `"${row.id}.${row.revision}.${digestOf(body).slice(0, 8)}"`)
  return send(reply, body)
}

/** The query of a list, with its token. */
export interface Query {
  readonly access_token?: string
  readonly lim?: string
  readonly offset?: string
}

const NUMBER = /^\d{1,10}$/

/** Reads the window of a list; undefined if it is none. */
export const windowOf = ({ lim = '20', offset = '0' }: Query) =>
  NUMBER.test(lim) && NUMBER.test(offset) ? { most: Number(lim), offset: Number(offset) } : undefined

/** Sends a page of the rows found, one more than it may have, with its tag and the address of the next. */
export const sendPage = (
  { host }: FastifyRequest,
  reply: FastifyReply,
  found: ReadonlyArray<Row>,
  most: number,
): FastifyReply => {
  const rows = found.slice(0, most)
  const last = found.length > most ? rows.at(-1) : undefined
  const body = write(rows)
  const next =
    last && `<http://${host}/library/?lim=${most}&after=${last.publication_date}~${last.id}>; rel="next"`
  reply.header('etag', `"${digestOf(body)}${next === undefined ? '' : `.${digestOf(next)}`}"`)
  if (next !== undefined) reply.header('link', next)
  return send(reply, body)
}

/** Makes Fastify with all header fields of the service. */
export const makeApp = (): FastifyInstance => {
  const app = Fastify({
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true },
    keepAliveTimeout: 72_000,
    http: { optimizeEmptyRequests: true },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      ...SECURITY_HEADERS,
      'x-request-id': request.id,
      'api-version': API_VERSION,
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
    })
    done()
  })
  return app
}
