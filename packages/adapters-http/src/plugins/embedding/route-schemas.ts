import type { SwaggerTransform } from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { securitySchemes } from '../../openapi/document.ts'
import { OAUTH_PATHS } from '../../openapi/oauth-operations.ts'
import { operationOf } from '../../openapi/operation.ts'
import { type DocumentedOperation, routeSchemaOf } from '../../openapi/route-schema.ts'
import { TOKEN_PATH } from '../../paths.ts'

/** Keeps the names of our security schemes apart from those of the application. */
const nameOf = (scheme: string): string => `almoner.${scheme}`

const withOurNames = <A>(record: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [nameOf(name), value]))

/** Returns the operation of a route; undefined for one that the document does not show. */
const operationOfRoute = (
  { config, method, url }: Pick<RouteOptions, 'config' | 'method' | 'url'>,
  prefix: string,
): DocumentedOperation | undefined => {
  if (config?.isOtherSpelling || config?.isCatchAll || method === 'HEAD') return undefined
  if (config?.route !== undefined) return operationOf(config.route) as DocumentedOperation
  const path = OAUTH_PATHS[url.slice(prefix.length) as keyof typeof OAUTH_PATHS]
  return path === undefined ? undefined : (Object.values(path)[0] as DocumentedOperation)
}

/**
 * Returns what makes `@fastify/swagger` add our security schemes to its document: without a scheme in the document, it refuses routes that
 * name it. In Swagger 2.0, which has other schemes, routes name none.
 */
const addingSecurity =
  ({ security }: DocumentedOperation, tokenUrl: () => string): SwaggerTransform =>
  ({ schema, url, ...into }) => {
    if (!('openapiObject' in into)) return { schema, url }
    const { components } = into.openapiObject
    into.openapiObject.components = {
      ...components,
      securitySchemes: { ...components?.securitySchemes, ...withOurNames(securitySchemes(tokenUrl())) },
    } as NonNullable<typeof components>
    return { schema: { ...schema, security: security.map(withOurNames) } as FastifySchema, url }
  }

/**
 * Gives the routes that are added from now on a schema, for `@fastify/swagger` and the like in the application around the API. The schemas
 * neither validate requests, which the routes' codecs do, nor serialize responses.
 * @param issuer returns the public URL of the API
 */
export const addRouteSchemas = (app: FastifyInstance, issuer: () => string): void => {
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.addHook('onRoute', (added) => {
    const operation = operationOfRoute(added, app.prefix)
    if (operation === undefined) {
      added.schema = { ...added.schema, hide: true }
      return
    }
    added.schema = routeSchemaOf(operation)
    added.config = {
      ...added.config,
      swaggerTransform: addingSecurity(operation, () => `${issuer()}${TOKEN_PATH}`),
    }
  })
}
