import { maxHeaderSize } from 'node:http'
import type { SwaggerTransform } from '@fastify/swagger'
import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { loggedError } from '../logged-error.ts'
import { OAUTH_PATHS, securitySchemes } from '../openapi/document.ts'
import { type DocumentedOperation, operationOf, routeSchemaOf } from '../openapi/operation.ts'
import { valuesOf } from '../request/parameters.ts'
import { contextOf, patternOf } from '../request-context.ts'
import { LARGEST_HEAD, LONGEST_SEGMENT, routerSettingsOf, TOKEN_PATH } from '../settings.ts'

/** Logs a fault with the application's logger, without any value of the request (A5). */
export const logFault = (cause: unknown, request: FastifyRequest): void => {
  request.log.error(
    {
      route: patternOf(request),
      client: contextOf(request).caller?.clientId,
      err: loggedError(cause, valuesOf(request)),
    },
    'almoner failed to serve a request',
  )
}

const shownRequest = (request: FastifyRequest) => ({
  method: request.method,
  url: patternOf(request),
  host: request.host,
  remoteAddress: request.ip,
})

/**
 * Serializers for the application's logger, for requests of the API: the pattern of the route stands for the URL, which may hold tokens and
 * emails (A5). Fastify's type wants strings, although its own serializer returns an object.
 */
export const LOG_SERIALIZERS = { req: shownRequest as unknown as (request: FastifyRequest) => string }

/** The options of the plugin as JavaScript may give them. */
interface GivenOptions {
  readonly almoner?: { readonly ports?: unknown; readonly policy?: unknown } | undefined
  readonly prefix?: unknown
  readonly baseUrl?: unknown
  readonly callerOf?: unknown
  readonly allowCrossSite?: unknown
}

const isUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

/** Returns a line for each option that is missing or wrong. */
const optionFaults = ({
  almoner,
  prefix = '',
  baseUrl,
  callerOf,
  allowCrossSite,
}: GivenOptions): ReadonlyArray<string> => [
  ...(callerOf === undefined || typeof callerOf === 'function' ? [] : ['callerOf must be a function.']),
  ...(allowCrossSite === undefined || typeof allowCrossSite === 'boolean'
    ? []
    : ['allowCrossSite must be true or false.']),
  ...(almoner?.ports && almoner.policy ? [] : ['almoner must have ports and policy.']),
  ...(prefix === '' || (typeof prefix === 'string' && prefix.startsWith('/'))
    ? []
    : ["prefix must begin with a slash, as '/charity' does."]),
  ...(typeof baseUrl === 'function' || (typeof baseUrl === 'string' && isUrl(baseUrl))
    ? []
    : ["baseUrl must be the public URL of the application, such as 'https://www.example.org'."]),
]

/**
 * Checks the options of the plugin, for applications whose compiler does not.
 * @throws an Error that names each option that is missing or wrong
 */
export const checkOptions = (options: GivenOptions): void => {
  const faults = optionFaults(options)
  if (faults.length > 0) throw new Error(`almonerPlugin: ${faults.join(' ')}`)
}

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

/** Returns the most bytes of a request before its body that the server reads; undefined for HTTP/2, which has no such setting. */
const headLimitOf = ({ server, initialConfig }: FastifyInstance): number | undefined => {
  if (initialConfig.http2 === true) return undefined
  const limit: unknown = Reflect.get(server, 'maxHeaderSize')
  return typeof limit === 'number' ? limit : maxHeaderSize
}

/** Returns a line for each setting of an application that is too small, with its fix. */
const settingFaults = (app: FastifyInstance): ReadonlyArray<string> => {
  const { maxParamLength } = routerSettingsOf(app)
  const head = headLimitOf(app) ?? LARGEST_HEAD
  const protocol = app.initialConfig.https === undefined ? 'http' : 'https'
  return [
    ...(maxParamLength < LONGEST_SEGMENT
      ? [
          `routerOptions.maxParamLength is ${maxParamLength}. Use Fastify({ routerOptions: { maxParamLength: LONGEST_SEGMENT } }), which is ${LONGEST_SEGMENT}.`,
        ]
      : []),
    ...(head < LARGEST_HEAD
      ? [
          `${protocol}.maxHeaderSize is ${head}. Use Fastify({ ${protocol}: { maxHeaderSize: LARGEST_HEAD } }), which is ${LARGEST_HEAD}.`,
        ]
      : []),
  ]
}

/**
 * Checks that an application accepts the longest path of the API: it holds a device token of 4,096 characters, percent-encoded (F4).
 * @throws an Error that names each setting that is too small, with its fix
 */
export const checkServerSettings = (app: FastifyInstance): void => {
  const faults = settingFaults(app)
  if (faults.length > 0)
    throw new Error(
      [
        'almonerPlugin: the application does not accept paths with the longest device token.',
        ...faults,
        "Import the constants from '@almoner/adapters-http'.",
      ].join('\n'),
    )
}
