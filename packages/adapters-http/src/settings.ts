import type { FastifyInstance } from 'fastify'

/** The most characters of a segment of a path: a device token of 4,096 characters, each percent-encoded in up to 12 (F4). */
export const LONGEST_SEGMENT = 4096 * 12

/**
 * The maximum bytes of a request before its body: a URL with such a segment and its other parts, and Node's default of 16 KiB for all
 * headers. Larger requests are 431.
 */
export const LARGEST_HEAD = 65_536 + 16_384

/**
 * The maximum bytes of a body, as received, without the files in it; the longest valid one has some 50 KB (B10). Bodies are buffered until they
 * are complete, so this is the memory that an anonymous connection can use.
 */
export const BODY_LIMIT = 131_072

/** The maximum bytes of a body at an OAuth endpoint (B10). */
export const OAUTH_BODY_LIMIT = 16_384

/** The OAuth endpoints: the interface's token endpoint, RFC 7009 and RFC 8414. */
export const TOKEN_PATH = '/oauth2/get-token'
export const REVOKE_PATH = '/oauth2/revoke'
export const METADATA_PATH = '/.well-known/oauth-authorization-server'

/** The health checks (I3). */
export const LIVE_PATH = '/health/live'
export const READY_PATH = '/health/ready'

/** Where any listener serves the metrics (I3). */
export const METRICS_PATH = '/metrics'

/** The console: its pages, and its API below them (M1). */
export const CONSOLE_PATH = '/console'

export const DOCUMENT_PATH = '/openapi.json'
export const DOCS_PATH = '/docs'

/** The settings of a router that matter to the API. */
interface RouterSettings {
  /** Whether paths with and without a slash at the end are the same to the router. */
  readonly ignoresTrailingSlash: boolean
  /** The most characters of a segment of a path. */
  readonly maxParamLength: number
}

/** Returns the settings of an application's router. Fastify 5 also takes them outside of `routerOptions`. */
export const routerSettingsOf = ({ initialConfig }: FastifyInstance): RouterSettings => {
  const places = [initialConfig, initialConfig.routerOptions ?? {}]
  return {
    ignoresTrailingSlash: places.some(({ ignoreTrailingSlash }) => ignoreTrailingSlash === true),
    maxParamLength: Math.max(...places.map(({ maxParamLength = 100 }) => maxParamLength)),
  }
}
