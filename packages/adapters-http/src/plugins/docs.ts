import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import type { OpenAPIV3 } from 'openapi-types'
import { openApiDocument } from '../openapi/document.ts'
import { DOCS_PATH, DOCUMENT_PATH } from '../paths.ts'
import { limitByClient, type RateLimit } from './rate-limit.ts'

/** Header fields that concern one connection only. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

const METHODS = ['GET', 'HEAD'] as const

/** A document as it is sent. */
interface Rendered {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const rendered = (type: string, body: Buffer): Rendered => ({
  headers: { 'content-type': type, etag: `"${hash('sha256', body, 'base64url').slice(0, 16)}"` },
  body,
})

/** Renders a document once for each base URL, which may be known only once the server listens. Retries after a failure. */
const renderOnce = (baseUrl: () => string, render: () => Promise<Rendered>): (() => Promise<Rendered>) => {
  const documents = new Map<string, Promise<Rendered>>()
  return () => {
    const base = baseUrl()
    const known = documents.get(base)
    if (known !== undefined) return known
    const document = render()
    documents.set(base, document)
    document.catch(() => documents.delete(base))
    return document
  }
}

const serve = (document: () => Promise<Rendered>) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { headers, body } = await document()
  reply.headers(headers)
  return fresh(request.headers, headers) ? reply.code(304).send() : reply.send(body)
}

/** The parts of the documentation. */
export interface DocsOptions {
  readonly version: string
  readonly baseUrl: () => string
  readonly rateLimit?: RateLimit | undefined
}

/** Serves the OpenAPI document, and Swagger UI to read it, which is loaded by the first request for it. */
export const serveDocs = async (
  app: FastifyInstance,
  { version, baseUrl, rateLimit }: DocsOptions,
): Promise<void> => {
  const preHandler = [...(await limitByClient(app, rateLimit))]
  const add = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({ method: [...METHODS], url, preHandler, handler })

  const document = () => openApiDocument(version, baseUrl())
  const json = renderOnce(baseUrl, async () =>
    rendered('application/json; charset=utf-8', Buffer.from(JSON.stringify(document()))),
  )
  add(DOCUMENT_PATH, serve(json))
  add(`${DOCS_PATH}/json`, serve(json))

  const load = async () => {
    const { makeDocsPage } = await import('./docs-page.ts')
    return makeDocsPage(() => document() as unknown as OpenAPIV3.Document)
  }
  let page: ReturnType<typeof load> | undefined
  /** Retries after a failure, as when a new build has just replaced the file. */
  const open = () => {
    page ??= load().catch((cause: unknown) => {
      page = undefined
      throw cause
    })
    return page
  }
  const yaml = renderOnce(baseUrl, async () => {
    const { headers, rawPayload } = await (await open()).inject(`${DOCS_PATH}/yaml`)
    return rendered(String(headers['content-type']), rawPayload)
  })
  add(`${DOCS_PATH}/yaml`, serve(yaml))

  const handler = async ({ method, url, headers }: FastifyRequest, reply: FastifyReply) => {
    const answer = await (await open()).inject({ method: method === 'HEAD' ? 'HEAD' : 'GET', url, headers })
    if (answer.statusCode === 404) return reply.callNotFound()
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name))
    return reply.code(answer.statusCode).headers(Object.fromEntries(kept)).send(answer.rawPayload)
  }
  for (const path of ['', '/static/*']) add(`${DOCS_PATH}${path}`, handler)
}
