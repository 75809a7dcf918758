import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { badRequest, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
import { routerSettingsOf } from '../settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is a wildcard for methods that no path takes. */
    readonly isCatchAll?: true
  }
}

/** A path as routes have it, and the methods that it takes. */
interface KnownPath {
  readonly path: string
  readonly methods: Set<string>
}

/** Routes are found by path alone: any method does. */
const ANY: HTTPMethod = 'GET'

const TOO_LONG = badRequest('A part of the path is too long.')

/** With and without the slash at the end is one path (B3). */
const withoutSlash = (url: string): string => url.replace(/(?<=.)\/$/, '')

const withOptions = (methods: Iterable<string>): string => [...new Set([...methods, 'OPTIONS'])].join(', ')

/** Sends the methods that a path takes: in a 204 for OPTIONS, else in a 405. */
const sendAllow = (request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply =>
  request.method === 'OPTIONS'
    ? reply.code(204).header('Allow', allow).send()
    : sendProblem(request, reply, {
        code: 'method_not_allowed',
        detail: `This path takes ${allow}.`,
        headers: { Allow: allow },
      })

/** Makes the router that finds a path by its URL. */
const routerOf = (app: FastifyInstance, paths: ReadonlyArray<KnownPath>) => {
  const { maxParamLength } = routerSettingsOf(app)
  // A path with a part that is too long is found without a store.
  const router = FindMyWay({ ignoreTrailingSlash: true, maxParamLength, onMaxParamLength: () => {} })
  for (const known of paths) router.on(ANY, known.path, () => {}, known)
  return router
}

/**
 * Rejects, before any body is read, unknown paths and methods that a path does not take, and answers OPTIONS (B3). Has to be added before
 * the routes. Fastify's own router finds `POST /library/:itemId` for `POST /library/label`, which takes GET only: paths are looked up
 * without their method.
 * @returns the paths of the routes added so far
 */
export const rejectOtherMethods = (app: FastifyInstance): ReadonlyMap<string, KnownPath> => {
  const paths = new Map<string, KnownPath>()
  let router: ReturnType<typeof routerOf> | undefined
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isCatchAll) return
    const path = withoutSlash(url)
    const known = paths.get(path) ?? { path, methods: new Set() }
    for (const one of [method].flat()) known.methods.add(one)
    paths.set(path, known)
    router = undefined
  })
  app.addHook('onRequest', (request, reply, done) => {
    // OPTIONS * asks about the server as a whole (RFC 9110 §9.3.7).
    if (request.method === 'OPTIONS' && request.url === '*') {
      // A wildcard may take methods only to say that there is no such path.
      const known = [...paths.values()].filter(({ path }) => !path.endsWith('*'))
      sendAllow(request, reply, withOptions(known.flatMap(({ methods }) => [...methods])))
      return
    }
    router ??= routerOf(app, [...paths.values()])
    const found = router.find(ANY, request.url)
    if (found?.store === null) sendProblem(request, reply, TOO_LONG)
    else if (found === null || Object.values(found.params).includes(''))
      sendProblem(request, reply, UNKNOWN_PATH)
    else if (found.store.methods.has(request.method)) done()
    else {
      contextOf(request).pattern = found.store.path
      sendAllow(request, reply, withOptions(found.store.methods))
    }
  })
  return paths
}

/** Returns the wildcards below which all paths are the API's: those of its paths, or everything under the prefix. */
const wildcardsOf = ({ prefix }: FastifyInstance, paths: Iterable<string>): ReadonlySet<string> =>
  prefix === ''
    ? new Set([...paths].map((path) => path.split('/')[1]).flatMap((top) => [`/${top}`, `/${top}/*`]))
    : new Set(['/*'])

/**
 * Adds wildcards for requests that no route takes, so that the hook sees them in an API within another application. A whole server needs
 * none: there the hook sees all requests.
 */
export const addCatchAlls = (app: FastifyInstance, paths: ReadonlyMap<string, KnownPath>): void => {
  for (const url of wildcardsOf(app, paths.keys())) {
    const taken = paths.get(`${app.prefix}${url}`)?.methods
    const method = app.supportedMethods.filter((one) => taken?.has(one) !== true) as Array<HTTPMethods>
    app.route({
      method,
      url,
      config: { isCatchAll: true },
      handler: async (_, reply) => reply.callNotFound(),
    })
  }
}
