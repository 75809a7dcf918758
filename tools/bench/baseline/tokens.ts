// A token endpoint as an expert would write it by hand: Fastify, better-sqlite3, a prepared statement for each step. It reads the client
// and its secret, compares digests, and stores the digest of a new token durably (synchronous = FULL), in one commit with the others of
// the event-loop iteration. It counts no failed attempts, and has no other routes. Started by fixture.ts.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify, { type FastifyReply } from 'fastify'
import { listen, received } from './process.ts'

/** The message that starts it. */
export interface TokensOptions {
  /** Its own database, which is created. */
  readonly file: string
  /** The secret of its client `reader`. */
  readonly secret: string
}

const SECONDS = 3600
const SCOPES = 'user'

const digestOf = (text: string): string => hash('sha256', text, 'hex')

const { file, secret } = await received<TokensOptions>()
const db = new Database(file)
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000;
  create table client (id text not null primary key, scopes text not null, hash text not null);
  create table access_token (
    digest text not null primary key, client_id text not null, scopes text not null, expires_at integer not null
  ) without rowid;
  create index by_expiry on access_token (expires_at);
`)
db.prepare('insert into client values (?, ?, ?)').run('reader', SCOPES, digestOf(secret))
const find = db.prepare<[id: string], { readonly scopes: string; readonly hash: string }>(
  'select scopes, hash from client where id = ?',
)
const add = db.prepare<[digest: string, client: string, scopes: string, expires: number]>(
  'insert into access_token values (?, ?, ?, ?)',
)

interface Issued {
  readonly client: string
  readonly token: string
  readonly scope: string
  readonly reply: FastifyReply
}

/** Tokens that wait for the commit at the end of this event-loop iteration. */
const pending: Array<Issued> = []

const commit = (): void => {
  const group = pending.splice(0)
  const expires = Date.now() + SECONDS * 1000
  db.exec('begin immediate')
  for (const { client, token, scope } of group) add.run(digestOf(token), client, scope, expires)
  db.exec('commit')
  for (const { token, scope, reply } of group) {
    const answer = { access_token: token, token_type: 'Bearer', expires_in: SECONDS, scope }
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
    reply.send(JSON.stringify(answer))
  }
}

const app = Fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, form, done) =>
  done(null, new URLSearchParams(`${form}`)),
)
app.post<{ Body: URLSearchParams }>('/oauth2/get-token', (request, reply) => {
  const client = request.body.get('client_id') ?? ''
  const found = find.get(client)
  const digest = digestOf(request.body.get('client_secret') ?? '')
  if (found === undefined || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(digest)))
    return reply.code(401).send({ error: 'invalid_client' })
  pending.push({ client, token: randomBytes(32).toString('base64url'), scope: found.scopes, reply })
  if (pending.length === 1) setImmediate(commit)
})
await listen(app)
