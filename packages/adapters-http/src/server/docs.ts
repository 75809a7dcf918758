import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { openApiDocument } from '../openapi/document.ts'
import { DOCS_PATH, DOCUMENT_PATH } from './paths.ts'

/** Where the page, its document and its assets are. */
const PAGE_PATHS = ['', '/json', '/yaml', '/static/*'].map((path) => `${DOCS_PATH}${path}`)

/** What an answer says of its connection, which is not that of whoever asks. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

const METHODS = ['GET', 'HEAD'] as const

/** Serves the OpenAPI document, and Swagger UI to read it, which is loaded for the first who does. */
export const serveDocs = (
  app: FastifyInstance,
  { version, baseUrl }: { readonly version: string; readonly baseUrl: () => string },
): void => {
  const document = () => openApiDocument(version, baseUrl())
  app.route({ method: [...METHODS], url: DOCUMENT_PATH, handler: async () => document() })

  const load = async () => {
    const { makeDocsPage } = await import('./docs-page.ts')
    return makeDocsPage(() => document() as unknown as OpenAPIV3.Document)
  }
  let page: ReturnType<typeof load> | undefined
  /** What cannot be loaded now, as where a build has just taken it away, is tried again for the next reader. */
  const open = () => {
    page ??= load().catch((cause: unknown) => {
      page = undefined
      throw cause
    })
    return page
  }
  const handler = async ({ method, url, headers }: FastifyRequest, reply: FastifyReply) => {
    const answer = await (await open()).inject({ method: method === 'HEAD' ? 'HEAD' : 'GET', url, headers })
    if (answer.statusCode === 404) return reply.callNotFound()
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name))
    return reply.code(answer.statusCode).headers(Object.fromEntries(kept)).send(answer.rawPayload)
  }
  for (const url of PAGE_PATHS) app.route({ method: [...METHODS], url, handler })
}
