import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import { openApiDocument } from '../openapi/document.ts'
import { DOCS_PATH, DOCUMENT_PATH } from './paths.ts'

/** The page loads nothing but what this service serves. */
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the OpenAPI document, and Swagger UI to read it. */
export const serveDocs = async (
  app: FastifyInstance,
  { version, baseUrl }: { readonly version: string; readonly baseUrl: () => string },
): Promise<void> => {
  app.route({
    method: ['GET', 'HEAD'],
    url: DOCUMENT_PATH,
    handler: async () => openApiDocument(version, baseUrl()),
  })
  // The page's own copy is made anew for each reader: the base URL may be known only once the server listens.
  const document = () => openApiDocument(version, baseUrl()) as unknown as OpenAPIV3.Document
  await app.register(fastifySwagger, { mode: 'static', specification: { document: document() } })
  await app.register(fastifySwaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY,
    transformSpecification: document,
    transformSpecificationClone: false,
    // Without the bar at the top, which is for other people's documents.
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false },
    theme: { title: 'Almoner API' },
  })
}
