import { hash } from 'node:crypto'
import type { Unavailable } from '@almoner/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { basePathOf, withBasePath } from '../lifecycle/base-path.ts'
import { CONSOLE_PATH } from '../paths.ts'
import { busy, UNKNOWN_PATH } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { isFresh } from '../responses/headers.ts'
import type { ConsoleAsset, ConsoleAssets } from './assets.ts'
import type { SessionParts } from './callers.ts'
import { secretIn } from './cookie.ts'

/** The paths of the application's pages, below the console's. */
export const PAGE_PATHS: ReadonlyArray<string> = [
  ...['', '/desk', '/queue', '/managers', '/account', '/shortcuts', '/operations', '/audit'],
  ...['/library', '/library/:id', '/library/:id/history', '/library/:id/translation'],
  ...['/feed', '/feed/:id', '/feed/:id/history'],
  ...['/people', '/people/:number', '/clients'],
  ...['/portfolio', '/portfolio/load', '/portfolio/organizations/:id'],
  ...['/notifications', '/notifications/:id'],
]

const SIGN_IN = '/sign-in'

/** Pages that need no session; `enter` is the target of sign-in links, whose secret is in the fragment (M3). */
const OPEN_PATHS = [SIGN_IN, '/enter']

/** Returns the content security policy of the pages (M6). */
export const contentSecurity = (imageOrigins: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob: data:", ...imageOrigins].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const NOT_FOUND =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Almoner</title><h1>There is no such page</h1><p><a href="/console">Console</a></p></html>'

/** The parts of the console's pages. */
export interface PageParts extends SessionParts {
  /** Called for each page; the first call may build them. */
  readonly assets: () => Promise<ConsoleAssets>
  /** Origins of images besides the service's own, where images are redirected. */
  readonly imageOrigins?: ReadonlyArray<string>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Chooses the form of a file that the browser takes. */
const encoded = ({ bytes, brotli, gzip }: ConsoleAsset, accepted: string) => {
  if (/\bbr\b/.test(accepted)) return { body: brotli, headers: { 'content-encoding': 'br' } }
  return /\bgzip\b/.test(accepted)
    ? { body: gzip, headers: { 'content-encoding': 'gzip' } }
    : { body: bytes, headers: {} }
}

const addFiles = (app: FastifyInstance, { assets }: PageParts): void => {
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const file = (await assets()).files.get(request.params.name)
    if (file === undefined) return sendProblem(request, reply, UNKNOWN_PATH)
    const { body, headers } = encoded(file, request.headers['accept-encoding'] ?? '')
    reply.headers({ ...headers, vary: 'Accept-Encoding', 'cache-control': IMMUTABLE })
    return reply.type(file.contentType).send(Buffer.from(body))
  })
}

/** Adds the pages of the console, their files, and 404 for all other paths below (M6). */
export const addPages = (app: FastifyInstance, parts: PageParts): void => {
  const { assets, findSession, baseUrl, imageOrigins = [] } = parts
  const policy = contentSecurity(imageOrigins)
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply => {
    const html = withBasePath(page, CONSOLE_PATH, baseUrl())
    const headers = {
      etag: `"${hash('sha256', html, 'base64url').slice(0, 16)}"`,
      'cache-control': 'no-cache',
    }
    reply.headers({ ...headers, 'content-security-policy': policy }).type('text/html; charset=utf-8')
    return isFresh(request.headers, headers) ? reply.code(304).send() : reply.send(html)
  }
  const hasSession = async ({ headers }: FastifyRequest): Promise<E.Either<Unavailable, boolean>> => {
    const secret = secretIn(baseUrl(), headers.cookie)
    if (secret === undefined) return E.right(false)
    const found = await findSession(secret, true)()
    return E.isLeft(found) && found.left._tag !== 'NoSession' ? E.left(found.left) : E.right(E.isRight(found))
  }
  for (const path of PAGE_PATHS)
    app.get(path, async (request, reply) => {
      reply.header('vary', 'Cookie')
      const known = await hasSession(request)
      if (E.isLeft(known)) return respondWithProblem(request, reply, busy(known.left.cause))
      if (known.right) return sendPage(request, reply, (await assets()).pages.app)
      // Within another application the console has a prefix, of which the public URL has all but the end.
      const wanted = (request.url.split('?', 1)[0] ?? '').slice(app.prefix.length)
      const own = `${basePathOf(baseUrl())}${CONSOLE_PATH}`
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${own}${SIGN_IN}?to=${encodeURIComponent(own + wanted)}`, 303)
    })
  for (const path of OPEN_PATHS)
    app.get(path, async (request, reply) => sendPage(request, reply, (await assets()).pages.signIn))
  addFiles(app, parts)
  app.all('/*', async (request, reply) => {
    const known = await hasSession(request)
    const isKnown = E.isRight(known) && known.right
    // The application says it in the person's language, beside the other pages.
    const html = isKnown ? (await assets()).pages.app : NOT_FOUND
    return sendPage(request, reply.header('vary', 'Cookie').code(404), html)
  })
}
