import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { interceptRequests } from './connections.ts'

/** Returns the path of the service's public URL, as `/almoner`; empty for a URL without one (M13). */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '')

/** Returns a page whose links and files, which begin with `path`, are below the path of the public URL (M13). */
export const withBasePath = (html: string, path: string, baseUrl: string): string => {
  const basePath = basePathOf(baseUrl)
  return basePath === ''
    ? html
    : html.replaceAll(`="${path}`, () => `="${basePath.replaceAll('&', '&amp;')}${path}`)
}

const firstSegment = (path: string): string => path.split(/[/?]/, 2)[1] ?? ''

/** Collects the first segments of all routes that an application will have. */
export const collectFirstSegments = (app: FastifyInstance): ReadonlySet<string> => {
  const segments = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    segments.add(firstSegment(url))
  })
  return segments
}

/**
 * Takes the path of the public URL off requests, so that a proxy may hand it on or take it off itself (M13). A path that begins as one of the
 * service's own, such as `/library`, stays: the proxy must take it off, because the two cannot be distinguished.
 */
export const takeOffBasePath = (server: Server, baseUrl: string, own: ReadonlySet<string>): void => {
  const path = basePathOf(baseUrl)
  if (path === '' || own.has(firstSegment(path))) return
  interceptRequests(server, (next) => (request, response) => {
    const { url = '/' } = request
    const isBelow = url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length))
    if (isBelow) request.url = url.slice(path.length).replace(/^(?!\/)/, '/')
    next(request, response)
  })
}
