// A server as an expert would write it by hand, for items and tokens alone: Fastify, better-sqlite3 on a copy of the service's database,
// prepared statements. Like the service it looks tokens up in the database, sends ETags, links to the next page and
// all header fields, checks bodies by schemas, and stores an item with its history, its change for copies and its words. Writes are durable
// (synchronous = FULL), and those of an event-loop iteration share a commit. It has no log, metrics, limits, labels or images.
// Started by fixture.ts.
import { hash, randomBytes, randomUUIDv7, timingSafeEqual } from 'node:crypto'
import { dirname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { importJWK, type JWK, jwtVerify } from 'jose'
import { digestOf, itemOf, makeApp, type Query, send, sendOne, sendPage, windowOf } from './items.ts'
import { listen, received } from './process.ts'
import { type Grant, type NotificationRow, openCopy, prepareStatements, type Row } from './sql-statements.ts'
import { addUploads } from './uploads.ts'

/** The message that starts it. */
export interface SqlOptions {
  /** Its own database, which is created. */
  readonly file: string
  /** The service's database, which is copied. */
  readonly source: string
  /** The identity provider of people, and its key: it fetches none. */
  readonly issuer: string
  readonly key: JWK
}

const DAY = 86_400_000
/** Days from the first day of year 0 to that of 1970, as the search index counts. */
const YEAR_0 = 719_528
const TOKEN_SECONDS = 3600

const { file, source, issuer, key } = await received<SqlOptions>()
const db = openCopy(source, file)
const statements = prepareStatements(db)

/** Writes that wait for the commit at the end of this event-loop iteration: what each stores, and how it responds. */
const pending: Array<{ readonly store: () => void; readonly respond: () => void }> = []

const commit = (): void => {
  const group = pending.splice(0)
  statements.begin.run()
  for (const { store } of group) store()
  statements.commit.run()
  for (const { respond } of group) respond()
}

const add = (store: () => void, respond: () => void): void => {
  pending.push({ store, respond })
  // Two turns, so that what many clients send at once shares a commit.
  if (pending.length === 1) setImmediate(() => setImmediate(commit))
}

const MARKS = /\p{M}/gu
const WORD = /[\p{L}\p{N}]+/gu

const wordsOf = ({ title, description }: Row): string => {
  const folded = `${title} ${description}`.normalize('NFD').replaceAll(MARKS, '').toLowerCase()
  return (folded.match(WORD) ?? []).map((word) => ` ${word}`).join('')
}

const store = (row: Row, client: string): void => {
  const words = wordsOf(row)
  statements.add.run(row)
  statements.addText.run({ day: Date.parse(row.publication_date) / DAY + YEAR_0, id: row.id, words })
  statements.addWords.run(words)
  statements.addHistory.run(row.created_at, client, row.id, JSON.stringify(itemOf(row).item))
  statements.addChange.run(row.id)
}

interface Body {
  readonly itemTitle: string
  readonly itemDescription: string
  readonly link: string
  readonly itemPublicationDate: string
}

const limited = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const FIELDS = {
  itemTitle: limited(100),
  itemDescription: limited(1000),
  link: { type: 'string', format: 'uri', maxLength: 2048 },
  itemPublicationDate: { type: 'string', format: 'date' },
}
const CREATED = { body: { type: 'object', required: Object.keys(FIELDS), properties: FIELDS } }

interface Announced {
  readonly lang: string
  readonly title: string
  readonly subtitle?: string
  readonly description?: string
  readonly date: number
}

const TEXT = { type: 'string', minLength: 1 }
const ANNOUNCED = {
  body: {
    type: 'object',
    required: ['lang', 'title', 'resource_type', 'date'],
    properties: {
      ...{ lang: { enum: ['en', 'fr'] }, title: TEXT, subtitle: TEXT, description: TEXT },
      ...{ resource_type: { const: 'Library' }, date: { type: 'integer', minimum: 0 } },
    },
  },
}

/** Bytes of a payload that every push provider takes. */
const MOST_BYTES = 4096

const sendNotification = (reply: FastifyReply, row: NotificationRow): void => {
  const { id, lang, title, subtitle, description } = row
  const date = new Date(row.due).toISOString().slice(0, 19).replace('T', ' ')
  const texts = { title, subtitle: subtitle ?? '', description: description ?? '' }
  const links = { visualUrl: '', iconUrl: '', actionUrl: '', color: '' }
  const body = JSON.stringify({ notification: { id, ...texts, date, lang, ...links } })
  reply.header('etag', `"${id}.1.${digestOf(body).slice(0, 8)}"`)
  send(reply, body)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the token of the request allows. */
    grant: Grant | null
  }
}

const isManager = ({ grant }: FastifyRequest): boolean => grant?.scopes.includes('content-manager') === true

const app = makeApp()
app.decorateRequest('grant', null)
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, form, done) =>
  done(null, new URLSearchParams(`${form}`)),
)

await app.register(async (items) => {
  items.addHook<{ Querystring: Query }>('onRequest', (request, reply, done) => {
    const digest = hash('sha256', request.query.access_token ?? '', 'hex')
    const grant = statements.grant.get(digest, Date.now())
    if (grant === undefined) {
      reply.code(401).send({ error: 'invalid_token' })
      return
    }
    request.grant = grant
    done()
  })
  items.get<{ Querystring: Query }>('/library', (request, reply) => {
    const window = windowOf(request.query)
    if (window === undefined) return reply.code(400).send({ error: 'lim or offset' })
    const { most, offset } = window
    const found = isManager(request)
      ? statements.everything.all(most + 1, offset)
      : statements.published.all(new Date().toISOString().slice(0, 10), most + 1, offset)
    return sendPage(request, reply, found, most)
  })
  items.get<{ Params: { readonly id: string } }>('/library/:id', (request, reply) => {
    const row = statements.one.get(request.params.id)
    const today = new Date().toISOString().slice(0, 10)
    const isPublic =
      row !== undefined && row.status === 'Live' && row.restricted === 0 && row.publication_date <= today
    return row !== undefined && (isPublic || isManager(request))
      ? sendOne(reply, row)
      : send(reply, '{"items":[]}')
  })
  items.post<{ Body: Body }>('/library', { schema: CREATED }, (request, reply) => {
    if (!isManager(request)) return reply.code(403).send({ error: 'insufficient_scope' })
    const { itemTitle, itemDescription, link, itemPublicationDate } = request.body
    const now = Date.now()
    const row: Row = {
      ...{ id: randomUUIDv7(), status: 'Draft', restricted: 0, lang: 'en', created_at: now, updated_at: now },
      ...{ revision: 1, title: itemTitle.normalize(), description: itemDescription.normalize(), link },
      ...{ publication_date: itemPublicationDate, cover_url: null, notification_url: null },
    }
    add(
      () => store(row, request.grant?.client_id ?? ''),
      () => sendOne(reply, row),
    )
  })
  await addUploads(items, { db, folder: dirname(file), add, isManager })
  items.post<{ Body: Announced }>('/notification', { schema: ANNOUNCED }, (request, reply) => {
    if (!isManager(request)) return reply.code(403).send({ error: 'insufficient_scope' })
    const { lang, title, subtitle, description, date } = request.body
    const row: NotificationRow = {
      ...{ id: randomUUIDv7(), lang, title: title.normalize(), due: date * 1000 },
      ...{ subtitle: subtitle?.normalize() ?? null, description: description?.normalize() ?? null },
    }
    if (Buffer.byteLength(JSON.stringify(row)) > MOST_BYTES)
      return reply.code(400).send({ error: 'too long' })
    const client = request.grant?.client_id ?? ''
    add(
      () => {
        statements.addNotification.run(row)
        statements.addAct.run(Date.now(), client, row.id)
      },
      () => sendNotification(reply, row),
    )
  })
})

const isSame = (stored: string, digest: string): boolean =>
  stored.length === digest.length && timingSafeEqual(Buffer.from(stored), Buffer.from(digest))

/** Stores a token, of a person if there is an address, and sends it. */
const issue = (
  reply: FastifyReply,
  client: string,
  scope: string,
  email: string | null,
  more: object,
): void => {
  const token = randomBytes(32).toString('base64url')
  const life = TOKEN_SECONDS * 1000
  const answer = { access_token: token, ...more, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope }
  const digest = hash('sha256', token, 'hex')
  add(
    () => statements.addToken.run(digest, client, scope, Date.now() + life, life, email),
    () => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      send(reply, JSON.stringify(answer))
    },
  )
}

const verifying = await importJWK(key, 'RS256')
const CHECKS = {
  ...{ algorithms: ['RS256'], issuer, audience: 'app', clockTolerance: 60 },
  requiredClaims: ['sub', 'exp', 'iat', 'email'],
}
const ISSUED = { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }

const exchange = async (form: URLSearchParams, reply: FastifyReply): Promise<FastifyReply> => {
  const client = form.get('client_id') ?? ''
  const found = statements.appOfPeople.get(client)
  if (found === undefined) return reply.code(401).send({ error: 'invalid_client' })
  try {
    const { payload } = await jwtVerify(form.get('subject_token') ?? '', verifying, CHECKS)
    if (payload['email_verified'] !== true) return reply.code(400).send({ error: 'invalid_request' })
    const email = String(payload['email']).normalize('NFC').trim().toLowerCase()
    issue(reply, client, found.scopes, email, ISSUED)
    return reply
  } catch {
    return reply.code(400).send({ error: 'invalid_request' })
  }
}

app.post<{ Body: URLSearchParams }>('/oauth2/get-token', (request, reply) => {
  if (request.body.get('grant_type') !== 'client_credentials') return exchange(request.body, reply)
  const client = request.body.get('client_id') ?? ''
  const shown = hash('sha256', request.body.get('client_secret') ?? '', 'hex')
  const found = statements.secrets.all(client, Date.now()).find((secret) => isSame(secret.hash, shown))
  if (found === undefined) return reply.code(401).send({ error: 'invalid_client' })
  issue(reply, client, found.scopes, null, {})
})
await listen(app)
