import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { badRequest, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { stateOf } from '../request-context.ts'

/** The methods that a path takes, gathered while routes are added. */
export type KnownPaths = Map<string, Set<string>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is there for methods that no path takes. */
    readonly refuses?: true
  }
}

/** Notes every route that is added from now on, but for those that refuse. */
export const watchRoutes = (app: FastifyInstance): KnownPaths => {
  const paths: KnownPaths = new Map()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses === true) return
    // With and without the slash at the end is one path (B3).
    const path = url.replace(/(?<=.)\/$/, '')
    const methods = paths.get(path) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    paths.set(path, methods)
  })
  return paths
}

/** Whether a path has nothing where it names something: then it is no known path (B3). */
const lacksName = (params: unknown): boolean => Object.values(params ?? {}).includes('')

export const refuseEmptySegments: onRequestHookHandler = (request, reply, done) => {
  if (lacksName(request.params)) sendProblem(request, reply, UNKNOWN_PATH)
  else done()
}

const refuse = (request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply =>
  request.method === 'OPTIONS'
    ? reply.code(204).header('Allow', allow).send()
    : sendProblem(request, reply, {
        code: 'method_not_allowed',
        detail: `This path takes ${allow}.`,
        headers: { Allow: allow },
      })

/** Any method will do to tell paths apart. */
const ANY: HTTPMethod = 'GET'

const TOO_LONG = badRequest('A part of the path is too long.')

/** A path as routes have it, and the methods that it takes. */
interface KnownPath {
  readonly path: string
  readonly allow: string
}

/** Finds the path that a request is for. */
const finderOf = (app: FastifyInstance, paths: ReadonlyArray<KnownPath>) => {
  const { ignoreTrailingSlash = false, maxParamLength = 100 } = app.initialConfig.routerOptions ?? {}
  // What is found for a part that is too long has nothing in its store.
  const finder = FindMyWay({ ignoreTrailingSlash, maxParamLength, onMaxParamLength: () => {} })
  for (const known of paths) finder.on(ANY, known.path, () => {}, known)
  return (url: string) => finder.find(ANY, url)
}

const partsOf = (path: string): ReadonlyArray<string> => path.split('/')

/** Whether what is for one path could be taken for another, which has a name where the one has a word. */
const isLike = (path: string, other: string): boolean => {
  const [parts, others] = [partsOf(path), partsOf(other)]
  return (
    path !== other &&
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || others[at]?.startsWith(':') === true)
  )
}

/** The methods that a path does not take and another does, which is like it: `POST /library/label` is no `POST /library/:itemId`. */
const takenByOthers = (known: KnownPaths, path: string): ReadonlyArray<string> => {
  const others = [...known].filter(([other]) => isLike(path, other)).flatMap(([, taken]) => [...taken])
  return [...new Set(others)].filter((method) => known.get(path)?.has(method) !== true)
}

/** What refuses a request for a known path that does not take its method; whether the path is one. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply) => boolean

/** Refuses by the paths that are known when it is first needed: OPTIONS is told the methods, others get 405 (B3). */
export const refuseBy = (app: FastifyInstance, known: KnownPaths): Refuse => {
  const make = () =>
    finderOf(
      app,
      [...known].map(([path, taken]) => ({ path, allow: [...new Set([...taken, 'OPTIONS'])].join(', ') })),
    )
  let find: ReturnType<typeof make> | undefined
  return (request, reply) => {
    // OPTIONS * asks about the server as a whole (RFC 9110 §9.3.7).
    if (request.method === 'OPTIONS' && request.url === '*') {
      const all = [...known.values()].flatMap((taken) => [...taken])
      refuse(request, reply, [...new Set([...all, 'OPTIONS'])].join(', '))
      return true
    }
    find ??= make()
    const found = find(request.url)
    if (found === null) return false
    if (found.store === null) sendProblem(request, reply, TOO_LONG)
    else if (lacksName(found.params)) sendProblem(request, reply, UNKNOWN_PATH)
    else {
      stateOf(request).path = found.store.path
      refuse(request, reply, found.store.allow)
    }
    return true
  }
}

/** `/library`, and `/library/*` for all that is below it, where there are such paths. */
const regionsOf = (paths: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    paths.map((path) => {
      const top = /^\/[^/]*/.exec(path)?.[0] ?? '/'
      return path === top ? top : `${top}/*`
    }),
  )

/**
 * Answers the methods that a known path does not take, of those that the application supports. Comes after all routes; bodies are not
 * looked at. There is a route for all that begins alike: one for each path and method would be most of what a server needs to start, in
 * time and in memory.
 */
export const answerOtherMethods = (app: FastifyInstance, known: KnownPaths): void => {
  // The prefix that the application was registered with is added to every route again.
  const below = (url: string) => url.slice(app.prefix.length)
  const refuseKnown = refuseBy(app, known)
  const answer: onRequestAsyncHookHandler = async (request, reply) => {
    if (!refuseKnown(request, reply)) reply.callNotFound()
    return reply
  }
  const handler = async (_: FastifyRequest, reply: FastifyReply) => reply
  const add = (url: string, methods: ReadonlyArray<string>) =>
    app.route({
      method: [...methods] as Array<HTTPMethods>,
      url,
      onRequest: answer,
      handler,
      config: { refuses: true },
    })
  const untaken = (url: string): ReadonlyArray<string> =>
    app.supportedMethods.filter((method) => known.get(`${app.prefix}${url}`)?.has(method) !== true)
  for (const path of known.keys()) {
    const methods = takenByOthers(known, path)
    if (methods.length > 0) add(below(path), methods)
  }
  for (const url of regionsOf([...known.keys()].map(below))) add(url, untaken(url))
}
