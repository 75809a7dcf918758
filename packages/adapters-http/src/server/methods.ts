import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'

/** The methods that a path takes, gathered while routes are added. */
export type KnownPaths = Map<string, Set<string>>

/** Notes every route that is added from now on. */
export const watchRoutes = (app: FastifyInstance): KnownPaths => {
  const paths: KnownPaths = new Map()
  app.addHook('onRoute', ({ url, method }) => {
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

// Imported by name, the module would give all that it has, for which Node loads a whole client of its own: 6 MB.
const { METHODS } = process.getBuiltinModule('node:http')

/** CONNECT never reaches a route. */
const ANSWERED = METHODS.filter((method) => method !== 'CONNECT')

/** Any method will do to tell paths apart. */
const ANY: HTTPMethod = 'GET'

/** Finds the path that a request is for, among paths as routes have them. */
const finderOf = (app: FastifyInstance, paths: Iterable<readonly [string, string]>) => {
  const { ignoreTrailingSlash = false, maxParamLength = 100 } = app.initialConfig.routerOptions ?? {}
  const finder = FindMyWay({ ignoreTrailingSlash, maxParamLength })
  for (const [path, allow] of paths) finder.on(ANY, path, () => {}, allow)
  return (url: string) => finder.find(ANY, url)
}

/** `/library` and `/library/*` for all that is below `/library`. */
const regionsOf = (paths: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...paths].flatMap((path) => [/^\/[^/]*/.exec(path)?.[0] ?? '/'].flatMap((top) => [top, `${top}/*`])),
  )

/** Adds a route that answers by itself, without looking at a body. */
const addAnswer = (
  app: FastifyInstance,
  [method, url]: readonly [ReadonlyArray<string>, string],
  answer: onRequestAsyncHookHandler,
): void => {
  const handler = async (_: FastifyRequest, reply: FastifyReply) => reply
  app.route({ method: [...method] as Array<HTTPMethods>, url, onRequest: answer, handler })
}

/**
 * Answers every method that a known path does not take: OPTIONS with what it does, others with 405 (B3). Comes after all routes;
 * bodies are not looked at. Methods that no path takes have a route for all that begins alike, as one for each path and method would be
 * most of a server's start.
 */
export const answerOtherMethods = (app: FastifyInstance, known: KnownPaths): void => {
  for (const method of ANSWERED) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const usual = new Set([...known.values()].flatMap((taken) => [...taken]).concat('OPTIONS'))
  // The listing is made now, because adding routes adds to what is known.
  const allowed = [...known].map(([path, taken]) => [path, [...taken, 'OPTIONS'].join(', ')] as const)
  const untaken = [...known].map(
    ([path, taken]) => [path, [...usual].filter((method) => !taken.has(method))] as const,
  )
  const find = finderOf(app, allowed)
  const answer: onRequestAsyncHookHandler = async (request, reply) => {
    const found = find(request.url)
    if (found === null) reply.callNotFound()
    else if (lacksName(found.params)) sendProblem(request, reply, UNKNOWN_PATH)
    else refuse(request, reply, found.store)
    return reply
  }
  // The prefix that the application was registered with is added to every route again.
  const below = (url: string) => url.slice(app.prefix.length)
  for (const [url, methods] of untaken) addAnswer(app, [methods, below(url)], answer)
  const unusual = ANSWERED.filter((method) => !usual.has(method))
  for (const url of regionsOf(allowed.map(([path]) => below(path)))) addAnswer(app, [unusual, url], answer)
}
