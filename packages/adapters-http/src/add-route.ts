import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import { routerSettingsOf } from './router-settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is another one with or without the slash at the end of its path. */
    readonly isOtherSpelling?: true
  }
}

/** Returns the same path with a slash at its end, or without; undefined for a wildcard, which has no other spelling. */
const otherSpellingOf = (url: string): string | undefined => {
  if (url.endsWith('*')) return undefined
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`
}

/**
 * Adds a route for paths with and without a slash at the end (B3), whether or not the application's router ignores the slash. Each method
 * gets a route, because a route with several methods gets one name for all of them in an OpenAPI document.
 */
export const addRoute = (app: FastifyInstance, { method: methods, ...route }: RouteOptions): void => {
  const add = (url: string, config: RouteOptions['config']) => {
    for (const method of [methods].flat() as ReadonlyArray<HTTPMethods>)
      app.route({ ...route, url, method, exposeHeadRoute: false, ...(config && { config }) })
  }
  add(route.url, route.config)
  const other = otherSpellingOf(route.url)
  if (other !== undefined && !routerSettingsOf(app).ignoresTrailingSlash)
    add(other, { ...route.config, isOtherSpelling: true })
}
