// Bare Fastify: answers the very bytes that the service answers, from memory, with the same type and length, to whoever shows a token that
// it knows. It looks at nothing else, has no other headers and no log. What is left is what HTTP, Fastify and the token cost.
// Started by tools/bench/load/servers.ts: node tools/bench/baseline/bare.ts
import Fastify from 'fastify'
import { listen, told } from './process.ts'
import { checkTokens, type Grant } from './tokens.ts'

/** One fixed answer; with an ETag also 304 to whoever has it. */
export interface FixedAnswer {
  readonly path: string
  readonly type: string
  readonly body: Buffer
  readonly etag: string | undefined
}

/** What the server is told. */
export interface BareOptions {
  readonly grants: ReadonlyArray<Grant>
  readonly answers: ReadonlyArray<FixedAnswer>
}

const { grants, answers } = await told<BareOptions>()
const app = Fastify()
checkTokens(app, grants)
for (const { path, type, body, etag } of answers)
  app.get(path, (request, reply) => {
    if (etag !== undefined) {
      reply.header('etag', etag)
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    }
    return reply.type(type).send(body)
  })
await listen(app)
