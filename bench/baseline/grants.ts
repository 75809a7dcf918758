// A token endpoint as small as it can be: Fastify, the form by URLSearchParams, one SHA-256 digest, compared in constant time, and
// a token of 256 random bits in a Map. It counts no wrong guesses.
// Started by bench/load/servers.ts: node bench/baseline/grants.ts
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import { listen, told } from './process.ts'

/** What the server is told: its one client. */
export interface GrantsOptions {
  readonly clientId: string
  readonly secret: string
}

const LIFE = 3600

const digest = (text: string) => createHash('sha256').update(text).digest()

const { clientId, secret } = await told<GrantsOptions>()
const key = digest(secret)
const until = new Map<string, number>()

const app = Fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, new URLSearchParams(body.toString())),
)
app.post<{ Body: URLSearchParams }>('/oauth2/get-token', async ({ body }, reply) => {
  const given = digest(body.get('client_secret') ?? '')
  if (!timingSafeEqual(given, key) || body.get('client_id') !== clientId)
    return reply.code(401).send({ error: 'invalid_client' })
  const token = randomBytes(32).toString('base64url')
  until.set(token, Date.now() + LIFE * 1000)
  reply.header('cache-control', 'no-store')
  return { access_token: token, token_type: 'Bearer', expires_in: LIFE, scope: 'user' }
})
await listen(app)
