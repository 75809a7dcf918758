import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { DOCS_PATH } from '../settings.ts'

/** The page loads nothing but what this service serves. */
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Creates Swagger UI as a separate application, which is called by `inject`: routes cannot be added to a running server, and loading Swagger UI
 * takes more time and memory than the rest of a start.
 */
export const makeDocsPage = async (document: () => OpenAPIV3.Document): Promise<FastifyInstance> => {
  const page = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: true })
  await page.register(fastifySwagger, { mode: 'static', specification: { document: document() } })
  await page.register(fastifySwaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY,
    // The page makes its copy for each request: the base URL may be known only once the server listens.
    transformSpecification: document,
    transformSpecificationClone: false,
    // Without the bar at the top, which loads other documents.
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false },
    theme: { title: 'Almoner API' },
  })
  return page
}
