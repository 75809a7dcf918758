import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { startRig } from '../../../adapters-http/test/support/fixture.ts'
import type { ConsoleAssets } from '../../src/index.ts'

/** The policy of all pages (M6). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** The link's token that signs in. */
export const TOKEN = 'a-token-that-works-once'

interface Manager {
  language: string
  isSignedIn: boolean
}

const sessionOf = ({ language }: Manager) => ({
  session: {
    manager: { email: 'camille@example.org', name: 'Camille', language, duty: 'editor' },
    scopes: ['content-manager'],
    idleEndsAt: '2026-05-01T20:00:00Z',
    endsAt: '2026-05-15T12:00:00Z',
    timeZone: 'Europe/Paris',
  },
})

const sendJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

type Handler = (incoming: IncomingMessage, response: ServerResponse, manager: Manager) => Promise<void>

const readBody = async (incoming: IncomingMessage) =>
  (await json(incoming)) as Readonly<Record<string, string>>

const sendSession = (response: ServerResponse, manager: Manager): void =>
  sendJson(response, manager.isSignedIn ? 200 : 401, manager.isSignedIn ? sessionOf(manager) : {})

/** The console's routes of people and sessions. */
const SESSION_ROUTES: Readonly<Record<string, Handler>> = {
  'POST /console/api/sign-in/link': async (incoming, response, manager) => {
    manager.isSignedIn = (await readBody(incoming))['token'] === TOKEN
    sendSession(response, manager)
  },
  'GET /console/api/session': async (_, response, manager) => sendSession(response, manager),
  'DELETE /console/api/session': async (_, response, manager) => {
    manager.isSignedIn = false
    sendJson(response, 200, {})
  },
  'PUT /console/api/session/language': async (incoming, response, manager) => {
    manager.language = (await readBody(incoming))['lang'] ?? ''
    sendSession(response, manager)
  },
}

/**
 * Starts the API with a server before it that sends the built console under the policy of M6, knows one manager, and forwards calls with
 * a content manager's token.
 */
export const openConsole = async (t: Test, assets: ConsoleAssets, language: 'en' | 'fr' = 'en') => {
  const manager: Manager = { language, isSignedIn: true }
  const server = createServer((incoming, response) => void answer(incoming, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rig = await startRig(t.testdir(), { store: 'memory', baseUrl: baseURL })
  const token = await rig.token('manager')

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const url = `${rig.url}${incoming.url?.replace('/console/api', '')}`
    const headers = { ...incoming.headers, host: new URL(rig.url).host, authorization: `Bearer ${token}` }
    const forwarded = request(url, { method: incoming.method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(incoming.url ?? '/', baseURL)
    const route = SESSION_ROUTES[`${incoming.method} ${pathname}`]
    if (route !== undefined) return route(incoming, response, manager)
    const isApi = pathname.startsWith('/console/api/')
    if (isApi && !manager.isSignedIn) return sendJson(response, 401, {})
    if (isApi || !pathname.startsWith('/console')) return forward(incoming, response)
    sendPage(pathname, response)
  }
  const sendPage = (pathname: string, response: ServerResponse): void => {
    const file = assets.files.get(pathname.replace('/console/assets/', ''))
    const isSignIn = /^\/console\/(?:sign-in|enter)$/.test(pathname)
    response
      .setHeader('Content-Security-Policy', POLICY)
      .setHeader('Content-Type', file?.contentType ?? 'text/html; charset=utf-8')
      .end(file?.bytes ?? (isSignIn ? assets.pages.signIn : assets.pages.app))
  }
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await rig.stop()
  })
  return { baseURL, rig, manager }
}
