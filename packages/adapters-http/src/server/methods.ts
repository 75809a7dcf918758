import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
} from 'fastify'
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

/** A path with nothing where it names something is no known path (B3). */
export const refuseEmptySegments: onRequestHookHandler = (request, reply, done) => {
  if (Object.values(request.params ?? {}).includes('')) sendProblem(request, reply, UNKNOWN_PATH)
  else done()
}

const refuse = (allow: string) => async (request: FastifyRequest, reply: FastifyReply) =>
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

/**
 * Answers every method that a known path does not take: OPTIONS with what it does, others with 405 (B3). Comes after all routes;
 * bodies are not looked at.
 */
export const answerOtherMethods = (app: FastifyInstance, known: KnownPaths): void => {
  for (const method of ANSWERED) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // The listing is copied because adding routes adds to it.
  for (const [url, taken] of [...known].map(([path, methods]) => [path, new Set(methods)] as const)) {
    const allow = [...taken, 'OPTIONS'].join(', ')
    const method = ANSWERED.filter((name) => !taken.has(name)) as Array<HTTPMethods>
    const answer = refuse(allow)
    // The prefix that the application was registered with is added to every route again.
    const below = url.slice(app.prefix.length)
    app.route({ method, url: below, onRequest: [refuseEmptySegments, answer], handler: answer })
  }
}
