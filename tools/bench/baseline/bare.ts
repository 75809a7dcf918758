// Bare Fastify: checks the token of a GET against a Map and answers the very bytes that the service answers, without other headers or a
// log. Measures what HTTP, Fastify and the token cost. Started by fixture.ts.
import Fastify from 'fastify'
import type { Grant } from '../dataset.ts'
import { checkTokens, listen, received } from './process.ts'

/** The message that starts it. */
export interface BareOptions {
  readonly grants: ReadonlyArray<Grant>
  /** With an ETag, a request that has it is answered 304. */
  readonly answer: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly type: string
    readonly body: Buffer
    readonly etag: string | undefined
  }
}

const { grants, answer } = await received<BareOptions>()
const { method, path, type, body, etag } = answer
const app = Fastify()
if (method !== 'POST') checkTokens(app, grants)
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_, form, done) =>
  done(null, form),
)
app.route({
  method,
  url: path,
  handler: (request, reply) => {
    if (etag !== undefined) {
      reply.header('etag', etag)
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    }
    return reply.type(type).send(body)
  },
})
await listen(app)
