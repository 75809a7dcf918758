import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  LightMyRequestResponse as Response,
} from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { withBasePath } from '../lifecycle/connections.ts'
import { openApiDocument } from '../openapi/document.ts'
import { digestTag, isFresh } from '../responses/headers.ts'
import { DOCS_PATH, DOCUMENT_PATH } from '../settings.ts'
import { limitByClient, type RateLimit } from './rate-limit.ts'

/** Header fields that concern one connection only. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'date', 'keep-alive', 'transfer-encoding'],
  // The length is that of the page as it is sent.
  'content-length',
])

/** Returns a response of the page. Its HTML names files by their path, which is below that of the public URL (M13). */
const bodyOf = ({ headers, payload, rawPayload }: Response, baseUrl: string): Buffer | string =>
  String(headers['content-type']).startsWith('text/html')
    ? withBasePath(payload, DOCS_PATH, baseUrl)
    : rawPayload

const METHODS = ['GET', 'HEAD'] as const

/** A document as it is sent. */
interface Rendered {
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
  readonly body: Buffer
}

const rendered = (type: string, body: Buffer): Rendered => ({
  headers: { 'content-type': type, etag: digestTag(body) },
  body,
})

/** Makes something once for each key. Retries after a failure, as when a new build has just replaced the file of the page. */
const onceFor = <A>(key: () => string, make: () => Promise<A>): (() => Promise<A>) => {
  const known = new Map<string, Promise<A>>()
  return () => {
    const name = key()
    const made = known.get(name) ?? make()
    if (!known.has(name)) made.catch(() => known.delete(name))
    known.set(name, made)
    return made
  }
}

const serve = (document: () => Promise<Rendered>) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { headers, body } = await document()
  reply.headers(headers)
  return isFresh(request.headers, headers) ? reply.code(304).send() : reply.send(body)
}

/** The parts of the documentation. */
interface DocsOptions {
  readonly version: string
  readonly baseUrl: () => string
  readonly rateLimit?: RateLimit | undefined
}

/** Serves the OpenAPI document, and Swagger UI to read it, which is loaded by the first request for it. */
export const serveDocs = async (
  app: FastifyInstance,
  { version, baseUrl, rateLimit }: DocsOptions,
): Promise<void> => {
  // Addresses are many, and the page is the same for all: each process counts them alone.
  const preHandler = [...limitByClient(rateLimit && { ...rateLimit, counts: undefined })]
  const add = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({ method: [...METHODS], url, preHandler, handler })

  const document = () => openApiDocument(version, baseUrl())
  const json = onceFor(baseUrl, async () =>
    rendered('application/json; charset=utf-8', Buffer.from(JSON.stringify(document()))),
  )
  add(DOCUMENT_PATH, serve(json))
  add(`${DOCS_PATH}/json`, serve(json))

  const page = onceFor(
    () => '',
    async () => {
      const { makeDocsPage } = await import('./docs-page.ts')
      return makeDocsPage(() => document() as unknown as OpenAPIV3.Document)
    },
  )
  // The base URL may be known only once the server listens.
  const yaml = onceFor(baseUrl, async () => {
    const { headers, rawPayload } = await (await page()).inject(`${DOCS_PATH}/yaml`)
    return rendered(String(headers['content-type']), rawPayload)
  })
  add(`${DOCS_PATH}/yaml`, serve(yaml))

  const handler = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    // HEAD has the length of the page as it would be sent.
    const answer = await (await page()).inject({ method: 'GET', url, headers })
    if (answer.statusCode === 404) return reply.callNotFound()
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name))
    return reply.code(answer.statusCode).headers(Object.fromEntries(kept)).send(bodyOf(answer, baseUrl()))
  }
  for (const path of ['', '/static/*']) add(`${DOCS_PATH}${path}`, handler)
}
