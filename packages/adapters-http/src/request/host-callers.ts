import type { IncomingMessage } from 'node:http'
import type { Caller, HostCaller, Scope } from '@almoner/domain'
import { readHostCaller, requireScope } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { internalError, type Problem, scopeMissing } from '../problems/problem.ts'
import type { FindEarly } from './authentication.ts'

/** The problem of a request that another site's page may have caused (M5). */
export const CROSS_SITE: Problem = {
  code: 'cross_site',
  detail: 'Requests that change something are accepted from the pages of this service only.',
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether a request may change something: its browser says that it comes from a page of this origin, or, where the browser says
 * nothing, its Origin is ours. A request with neither may not (M5).
 */
export const isFromOwnPage = (
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  baseUrl: string,
): boolean => {
  if (SAFE.has(method)) return true
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === new URL(baseUrl).origin : site === 'same-origin'
}

/**
 * Names the user whom an application has signed in, or undefined if none is signed in: then the request needs an access token. It is asked at the head of a
 * request and again just before a write (A9), so it must look its sessions up each time.
 */
export type CallerOf = (request: FastifyRequest) => HostCaller | undefined | Promise<HostCaller | undefined>

/** How an application names callers that it has signed in itself. */
export interface HostCallerOptions {
  /**
   * Names the user whom the application has signed in, so that its sessions work here too; undefined where none is signed in: the request
   * then needs an access token. It grants the rights that it returns, and no others. What it throws, returns wrongly or leaves unsettled for ten
   * seconds is a 500 with its reason in the log.
   */
  readonly callerOf?: CallerOf | undefined
  /**
   * Whether requests of these callers that change something may come from pages of other sites. Unless it is true, they need `Sec-Fetch-Site:
   * same-origin` or, without it, the `Origin` of `baseUrl` (M5). Say true only if `callerOf` reads nothing that browsers send by themselves, such as
   * cookies, or if the application rejects such requests.
   */
  readonly allowCrossSite?: boolean | undefined
}

/** Milliseconds in which an application must name a caller. */
const LONGEST = 10_000

/** A caller that was named is let in for this request alone. */
const NO_END = instant(8_640_000_000_000_000)

/** A fault of the application around the API, for its log. Its message repeats no value. */
class HostFault extends Error {
  override readonly name = 'HostFault'
}

const inTime = async <A>(work: Promise<A>): Promise<A> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new HostFault(`callerOf did not settle within ${LONGEST / 1000} seconds`)),
    LONGEST,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the application. What it throws or returns wrongly is its fault, and gives no rights. */
const ask = async (
  callerOf: CallerOf,
  request: FastifyRequest,
): Promise<E.Either<Problem, Caller | undefined>> => {
  try {
    const given = await inTime((async () => callerOf(request))())
    if (given === undefined) return E.right(undefined)
    return E.mapLeft((fault: string) =>
      internalError(new HostFault(`callerOf returned a wrong caller: ${fault}`)),
    )(readHostCaller(given))
  } catch (cause) {
    return E.left(
      internalError(cause instanceof HostFault ? cause : new HostFault('callerOf failed', { cause })),
    )
  }
}

/**
 * Returns what finds the callers that an application names, if it names any. Rejects their requests from other sites (M5), since a browser sends
 * cookies with those too.
 */
export const namedCallers = (
  { callerOf, allowCrossSite = false }: HostCallerOptions,
  baseUrl: () => string,
): ((request: FastifyRequest, scope: Scope) => ReturnType<FindEarly>) | undefined =>
  callerOf &&
  (async (request, scope) => {
    const asked = await ask(callerOf, request)
    if (E.isLeft(asked)) return asked
    const caller = asked.right
    if (caller === undefined) return E.right(undefined)
    if (!allowCrossSite && !isFromOwnPage(request.raw, baseUrl())) return E.left(CROSS_SITE)
    return E.isLeft(requireScope(scope)(caller))
      ? E.left(scopeMissing(scope))
      : E.right({ caller: { ...caller, expiresAt: NO_END } })
  })
