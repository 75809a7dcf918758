import { type ConsolePaths, createClient } from '@almoner/client'
import { at } from '../paths.ts'
import { isAttended } from './attention.ts'
import { asksForProof, proof } from './proof.ts'
import { sessionEnd } from './session-end.ts'

/** Where the console's routes are. */
export const API = new URL(at('/console/api'), location.href).href

/** Seconds for which a page waits for a busy server before it says so. */
const MAX_WAIT = 15

/** The most bytes that a browser sends after its page has been closed. */
const MOST_KEPT_ALIVE = 60_000

const isProofAsked = async (response: Response): Promise<boolean> =>
  response.status === 403 &&
  asksForProof(
    403,
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )

/**
 * Sends a request. If the session has ended, or the server asks for a proof of presence (M10), sends it again when the person has signed in
 * again. A person who cancels the proof gets the server's refusal.
 */
const send = async (request: Request): Promise<Response> => {
  if (!isAttended()) request.headers.set('almoner-unattended', '?1')
  const again = request.clone()
  const response = await fetch(request)
  if (response.status === 401) {
    await sessionEnd.wait()
    return send(again)
  }
  return (await isProofAsked(response)) && (await proof.wait()) ? send(again) : response
}

/** Sends a request that the browser finishes even if the page is closed meanwhile, unless it is large. */
const sendKept = async (request: Request): Promise<Response> => {
  const { byteLength } = await request.clone().arrayBuffer()
  return send(new Request(request, { keepalive: byteLength < MOST_KEPT_ALIVE }))
}

/** The typed client of the API. The session's cookie gives it access. */
export const api = createClient({ baseUrl: API, session: true, fetch: send, maxWait: MAX_WAIT })

/** The client of the routes that only the console has. */
export const consoleApi = createClient<ConsolePaths>({
  baseUrl: API,
  session: true,
  fetch: send,
  maxWait: MAX_WAIT,
})

/** As {@link consoleApi}, for writes that a closed page must not cut off. */
export const keptApi = createClient<ConsolePaths>({
  baseUrl: API,
  session: true,
  fetch: sendKept,
  maxWait: MAX_WAIT,
})

/** As {@link consoleApi}, but rejects with 401 at once: for the routes that begin and end a session. */
export const sessionApi = createClient<ConsolePaths>({ baseUrl: API, session: true, maxWait: MAX_WAIT })
