// A token endpoint as small as it can be: Fastify, the form by URLSearchParams, one scrypt of the same cost, compared in constant time, and
// a token of 256 random bits that stands in a Map. It hashes as many at once as Node has threads for, and counts no wrong guesses.
// Started by tools/bench/load/servers.ts: node tools/bench/baseline/grants.ts
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { listen, told } from './process.ts'

/** What the server is told: its one client. */
export interface GrantsOptions {
  readonly clientId: string
  readonly secret: string
}

const LIFE = 3600
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const KEY_BYTES = 32

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

const { clientId, secret } = await told<GrantsOptions>()
const salt = randomBytes(16)
const key = await derive(secret, salt, KEY_BYTES, COST)
const until = new Map<string, number>()

const app = Fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, new URLSearchParams(body.toString())),
)
app.post<{ Body: URLSearchParams }>('/oauth2/get-token', async ({ body }, reply) => {
  const given = await derive(body.get('client_secret') ?? '', salt, KEY_BYTES, COST)
  if (!timingSafeEqual(given, key) || body.get('client_id') !== clientId)
    return reply.code(401).send({ error: 'invalid_client' })
  const token = randomBytes(32).toString('base64url')
  until.set(token, Date.now() + LIFE * 1000)
  reply.header('cache-control', 'no-store')
  return { access_token: token, token_type: 'Bearer', expires_in: LIFE, scope: 'user' }
})
await listen(app)
