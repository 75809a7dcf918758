import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { DOCS_PATH } from '../paths.ts'

/** The page loads nothing but what this service serves. */
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Swagger UI, as an application that nobody reaches but through its `inject`: routes cannot be added to a server that takes requests, and
 * loading it takes longer and holds more than the rest of a start.
 */
export const makeDocsPage = async (document: () => OpenAPIV3.Document): Promise<FastifyInstance> => {
  const page = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: true })
  await page.register(fastifySwagger, { mode: 'static', specification: { document: document() } })
  await page.register(fastifySwaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY,
    // The page's own copy is made anew for each reader: the base URL may be known only once the server listens.
    transformSpecification: document,
    transformSpecificationClone: false,
    // Without the bar at the top, which is for other people's documents.
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false },
    theme: { title: 'Almoner API' },
  })
  return page
}
