// A server as an expert would write it by hand for lists, creating and updating alone: Fastify, better-sqlite3, one prepared statement for
// each request, rows to JSON by JSON.stringify. It checks the token, the numbers of the query, and bodies by Fastify's own schemas. Each
// write commits by itself, durably (synchronous = FULL). It has no log, no links to next pages, no ETags and no history of anything.
// Started by tools/bench/load/servers.ts: node tools/bench/baseline/sql.ts
import { randomUUIDv7 } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify, { type FastifyReply } from 'fastify'
import { listen, told } from './process.ts'
import { prepareStatements, type Row, takeOver } from './sql-statements.ts'
import { checkTokens, type Grant } from './tokens.ts'

/** What the server is told. */
export interface SqlOptions {
  readonly grants: ReadonlyArray<Grant>
  /** Its own database, which is made. */
  readonly file: string
  /** The service's database, whose items it takes over. */
  readonly source: string
}

interface Query {
  readonly lim?: string
  readonly offset?: string
  readonly lang?: string
}

interface Body {
  readonly itemTitle: string
  readonly itemDescription: string
  readonly link: string
  readonly itemPublicationDate: string
  readonly status: string
}

const { grants, file, source } = await told<SqlOptions>()
const db = new Database(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000')
takeOver(db, source)
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

const NUMBER = /^\d{1,10}$/

const rowsFor = (manager: boolean, { lim = '20', offset = '0', lang }: Query): ReadonlyArray<Row> => {
  const page = [Number(lim), Number(offset)] as const
  if (manager) return statements.everything.all(...page)
  return lang === undefined
    ? statements.published.all(...page)
    : statements.publishedIn.all(lang.toLowerCase(), ...page)
}

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const FIELDS = {
  itemTitle: text(100),
  itemDescription: text(1000),
  link: { type: 'string', format: 'uri', maxLength: 2048 },
  itemPublicationDate: { type: 'string', format: 'date' },
}
const CREATED = { body: { type: 'object', required: Object.keys(FIELDS), properties: FIELDS } }
const STATUS = { type: 'string', enum: ['Live', 'Draft', 'Archived'] }
const UPDATED = {
  body: {
    type: 'object',
    required: [...Object.keys(FIELDS), 'status'],
    properties: { ...FIELDS, status: STATUS },
  },
}

const valuesOf = ({ itemTitle, itemDescription, link, itemPublicationDate }: Body) => ({
  title: itemTitle.normalize(),
  description: itemDescription.normalize(),
  link,
  day: itemPublicationDate,
  now: new Date().toISOString(),
})

const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
checkTokens(app, grants)
app.get<{ Querystring: Query }>('/library', (request, reply) => {
  const { lim = '20', offset = '0', lang = 'en' } = request.query
  if (!NUMBER.test(lim) || !NUMBER.test(offset) || !/^(?:en|fr)$/i.test(lang))
    return send(reply.code(400), { error: 'lim, offset or lang' })
  return send(reply, { items: rowsFor(request.manager, request.query).map(itemOf) })
})
app.post<{ Body: Body }>('/library', { schema: CREATED }, (request, reply) => {
  if (!request.manager) return send(reply.code(403), { error: 'insufficient_scope' })
  const values = valuesOf(request.body)
  const [id, lang, restricted] = [randomUUIDv7(), 'en', 0]
  statements.add.run({ ...values, id, lang, restricted })
  const { title, description, link, day, now } = values
  const row = { id, status: 'Draft', restricted, lang, title, description, created_at: now, updated_at: now }
  const created = { ...row, link, publication_date: day, cover_url: '', notification_url: '' }
  return send(reply, { items: [itemOf(created)] })
})
app.post<{ Body: Body; Params: { id: string } }>('/library/:id', { schema: UPDATED }, (request, reply) => {
  if (!request.manager) return send(reply.code(403), { error: 'insufficient_scope' })
  const { status } = request.body
  const row = statements.update.get({ ...valuesOf(request.body), status, id: request.params.id })
  return row === undefined ? send(reply.code(404), { error: 'not_found' }) : send(reply, itemOf(row))
})
await listen(app)
