// Bare Fastify: checks the token of a GET against a Map and answers the bytes that the service answers, with the same head. It has no log and
// no metrics. Measures what HTTP, Fastify and the token cost. Started by fixture.ts.
import type { Grant } from '../dataset.ts'
import { makeApp } from './items.ts'
import { checkTokens, listen, received } from './process.ts'

/** The message that starts it. */
export interface BareOptions {
  readonly grants: ReadonlyArray<Grant>
  readonly answer: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly body: Buffer
    /** Its own header fields. With an ETag, a request that has it is answered 304. */
    readonly headers: Readonly<Record<string, string>>
  }
}

const { grants, answer } = await received<BareOptions>()
const { method, path, body, headers } = answer
const { etag } = headers
const app = makeApp()
if (method !== 'POST') checkTokens(app, grants)
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_, form, done) =>
  done(null, form),
)
app.route({
  method,
  url: path,
  handler: (request, reply) => {
    if (etag !== undefined && request.headers['if-none-match'] === etag)
      return reply.code(304).header('etag', etag).send()
    return reply.headers(headers).send(body)
  },
})
await listen(app)
