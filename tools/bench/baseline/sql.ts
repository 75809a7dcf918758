// A server as an expert would write it by hand for lists and creates alone: Fastify, better-sqlite3, one prepared statement a request,
// JSON.stringify. It checks the token, the query and, by Fastify's schemas, bodies. Writes are durable (synchronous = FULL): each has a
// separate commit, or shares one with the others of the same event-loop iteration (`grouped`). It has no log, next-page links, ETags or
// history. Started by fixture.ts.
import { randomUUIDv7 } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify, { type FastifyReply } from 'fastify'
import type { Grant } from '../dataset.ts'
import { checkTokens, listen, received } from './process.ts'
import { copyItems, prepareStatements, type Row } from './sql-statements.ts'

/** The message that starts it. */
export interface SqlOptions {
  readonly grants: ReadonlyArray<Grant>
  /** Its own database, which is created. */
  readonly file: string
  /** The service's database, whose items are copied. */
  readonly source: string
  /** Whether concurrent writes share a commit. */
  readonly grouped: boolean
}

interface Body {
  readonly itemTitle: string
  readonly itemDescription: string
  readonly link: string
  readonly itemPublicationDate: string
}

const { grants, file, source, grouped } = await received<SqlOptions>()
const db = new Database(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000')
copyItems(db, source)
const statements = prepareStatements(db)

const itemOf = (row: Row) => ({
  item: {
    itemId: row.id,
    isDonorRestricted: row.restricted === 1 ? '1' : '0',
    lang: row.lang,
    itemTitle: row.title,
    itemDescription: row.description,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    link: row.link,
    itemRelatedLink: row.cover_url,
    itemPublicationDate: row.publication_date,
    coverImgUrl: row.cover_url,
    notificationImgUrl: row.notification_url,
  },
})

const send = (reply: FastifyReply, answer: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))

/** Writes that wait for the commit at the end of this event-loop iteration. */
const pending: Array<{ readonly row: Row; readonly reply: FastifyReply }> = []

const commit = (): void => {
  const group = pending.splice(0)
  db.exec('begin immediate')
  for (const { row } of group) statements.add.run(row)
  db.exec('commit')
  for (const { row, reply } of group) send(reply, { items: [itemOf(row)] })
}

const add = (row: Row, reply: FastifyReply): void => {
  pending.push({ row, reply })
  if (!grouped) commit()
  else if (pending.length === 1) setImmediate(commit)
}

const NUMBER = /^\d{1,10}$/
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const FIELDS = {
  itemTitle: text(100),
  itemDescription: text(1000),
  link: { type: 'string', format: 'uri', maxLength: 2048 },
  itemPublicationDate: { type: 'string', format: 'date' },
}
const CREATED = { body: { type: 'object', required: Object.keys(FIELDS), properties: FIELDS } }

const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
checkTokens(app, grants)
app.get<{ Querystring: { readonly lim?: string; readonly offset?: string } }>(
  '/library',
  (request, reply) => {
    const { lim = '20', offset = '0' } = request.query
    if (!NUMBER.test(lim) || !NUMBER.test(offset)) return send(reply.code(400), { error: 'lim or offset' })
    const list = request.manager ? statements.everything : statements.published
    return send(reply, { items: list.all(Number(lim), Number(offset)).map(itemOf) })
  },
)
app.post<{ Body: Body }>('/library', { schema: CREATED }, (request, reply) => {
  if (!request.manager) return send(reply.code(403), { error: 'insufficient_scope' })
  const { itemTitle, itemDescription, link, itemPublicationDate } = request.body
  const now = new Date().toISOString()
  const state = { id: randomUUIDv7(), status: 'Draft', restricted: 0, lang: 'en', created_at: now }
  const given = { title: itemTitle.normalize(), description: itemDescription.normalize(), link }
  const urls = { publication_date: itemPublicationDate, cover_url: '', notification_url: '' }
  add({ ...state, ...given, ...urls, updated_at: now }, reply)
})
await listen(app)
