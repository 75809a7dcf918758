import type { FastifyInstance } from 'fastify'

/** The settings of a router that matter to the API. */
export interface RouterSettings {
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
