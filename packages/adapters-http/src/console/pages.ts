import type { Unavailable } from '@almoner/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { basePathOf, withBasePath } from '../lifecycle/connections.ts'
import { describedTags, LICENSE } from '../openapi/document.ts'
import { problemResponse, SHARED_RESPONSES } from '../openapi/responses.ts'
import { withNamedSchemas } from '../openapi/schema.ts'
import { busy, UNKNOWN_PATH } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { digestTag, isFresh } from '../responses/headers.ts'
import { API_ROUTES } from '../routes/index.ts'
import { CONSOLE_PATH } from '../settings.ts'
import { cookieNameOf, type SessionParts, secretIn } from './callers.ts'
import { bySession, OTHER_OPERATIONS, operationsByPath } from './operations.ts'
import { CONSOLE_ROUTES } from './routes/index.ts'

/** A file of the console's pages, compressed when it was built. */
export interface ConsoleAsset {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The pages of the console, and the files that they load. */
export interface ConsoleAssets {
  /** HTML: the application, and the sign-in page, which works without the application. */
  readonly pages: { readonly app: string; readonly signIn: string }
  /** By name, as `app-<hash>.js`: a name never gets another content. */
  readonly files: ReadonlyMap<string, ConsoleAsset>
}

const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'Authentication by the cookie of a session.',
    required: true,
    schema: { type: 'string', pattern: '^Cookie ' },
  },
}

const { Problem, Conflict, Busy, Unavailable: unavailableResponse } = SHARED_RESPONSES

/** The shared responses of the console: a caller is known by a session. */
const RESPONSES = {
  ...{ Problem, Conflict, Busy, Unavailable: unavailableResponse },
  Refused: problemResponse('The request is not valid, or the session does not allow it.'),
  Unauthorized: problemResponse('There is no session, or the link is not valid.', CHALLENGE),
}

/** The operations of the API that need a proof of presence of a session, as a sentence of the document (M10). */
const NEEDING_PRESENCE = API_ROUTES.flatMap(({ operation, access: { presence } }) =>
  presence === undefined ? [] : [`\`${operation}\`${presence === 'always' ? '' : ' of a large push'}`],
).join(', ')

const TAGS = {
  Session: 'Signing in and out, sessions, and settings of a person.',
  Changes: 'Events after which a page asks again.',
  Desk: 'Work that waits, dead links, results and names of people.',
  Library: 'Rows of publications, undo and deletion.',
  Feed: 'Undo, earlier posts of a donor and deletion.',
  Proposals: 'Rewrites of Live items that content managers share.',
  'Working copies': 'Texts that are not saved yet.',
  Readers: 'Sizes of audiences.',
  Portfolio: 'Loads of organizations, and their review.',
  Notifications: 'Lists, previews and tests of notifications.',
  Managers: 'People who use the console, and how they sign in.',
  Passkeys: 'Own passkeys.',
  Passwords: 'Own password and second factor.',
  Users: 'Donors and their data.',
  Clients: 'OAuth clients and their secrets.',
  Operations: 'Checks, providers of pushes, figures and the audit log.',
}

const DESCRIPTION = `The routes that only the console has. The routes of the API are under the same URL, with the same meaning, for callers with a
session instead of a token. Requests that change something must come from a page of the service. What needs a recent proof of presence is
refused with 403 and the code \`presence_required\` if the last sign-in is five minutes old. Of the routes of the API these are ${NEEDING_PRESENCE}.`

/** The OpenAPI 3.1 document of the routes that only the console has (M7). `baseUrl` is the service's. */
export const consoleDocument = (version: string, baseUrl: string) =>
  withNamedSchemas({
    openapi: '3.1.0',
    info: { title: 'Almoner console', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: `${baseUrl}/console/api` }],
    tags: describedTags(TAGS),
    paths: { ...OTHER_OPERATIONS, ...operationsByPath(CONSOLE_ROUTES, ({ access }) => bySession(access)) },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieNameOf(baseUrl) } },
      responses: RESPONSES,
    },
  })

/** The paths of the application's pages, below the console's. */
export const PAGE_PATHS: ReadonlyArray<string> = [
  ...[
    '',
    '/desk',
    '/queue',
    '/proposals',
    '/calendar',
    '/results',
    '/managers',
    '/account',
    '/shortcuts',
    '/manual',
  ],
  ...['/operations', '/audit'],
  ...['/library', '/library/:id', '/library/:id/history', '/library/:id/translation', '/library/:id/preview'],
  ...['/feed', '/feed/:id', '/feed/:id/history', '/feed/:id/preview'],
  ...['/library/:id/proposal', '/feed/:id/proposal'],
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
      etag: digestTag(html),
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
  const add = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler })
  for (const path of PAGE_PATHS)
    add(path, async (request, reply) => {
      reply.header('vary', 'Cookie')
      const known = await hasSession(request)
      if (E.isLeft(known)) return respondWithProblem(request, reply, busy(known.left.cause))
      if (known.right) return sendPage(request, reply, (await assets()).pages.app)
      // Within another application the console has a prefix, of which the public URL has all but the end.
      const wanted = request.url.slice(app.prefix.length)
      const own = `${basePathOf(baseUrl())}${CONSOLE_PATH}`
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${own}${SIGN_IN}?to=${encodeURIComponent(own + wanted)}`, 303)
    })
  for (const path of OPEN_PATHS)
    add(path, async (request, reply) => sendPage(request, reply, (await assets()).pages.signIn))
  addFiles(app, parts)
  app.all('/*', async (request, reply) => {
    const known = await hasSession(request)
    const isKnown = E.isRight(known) && known.right
    // The application says it in the person's language, beside the other pages.
    const html = isKnown ? (await assets()).pages.app : NOT_FOUND
    return sendPage(request, reply.header('vary', 'Cookie').code(404), html)
  })
}
