import { type ConsolePaths, createClient } from '@almoner/client'
import { at } from '../paths.ts'

/** Milliseconds after a person's last touch for which a page counts as attended. */
const ATTENDED = 60_000

let lastTouch = performance.now()

const note = () => {
  lastTouch = performance.now()
}

/** Notes each touch of the page, so that the requests of a forgotten page do not keep its session alive (M4). */
export const watchAttention = (): void => {
  for (const touch of ['pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(touch, note, { capture: true, passive: true })
}

/** Returns whether a person has touched the page lately. */
const isAttended = (): boolean => performance.now() - lastTouch < ATTENDED

let waitingForProof: ReadonlyArray<(isProved: boolean) => void> = []
const proofListeners = new Set<() => void>()

const setWaitingForProof = (next: typeof waitingForProof): void => {
  waitingForProof = next
  for (const listener of proofListeners) listener()
}

/** The proof of presence. Requests that the server refused for want of one wait here until the person has signed in again (M10). */
export const proof = {
  isAsked: (): boolean => waitingForProof.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    proofListeners.add(listener)
    return () => proofListeners.delete(listener)
  },
  /** Resolves to whether the person has proved presence. */
  wait: (): Promise<boolean> => new Promise((resolve) => setWaitingForProof([...waitingForProof, resolve])),
  /** Lets the waiting requests go on, or fail with the server's refusal. */
  settle: (isProved: boolean): void => {
    const settled = waitingForProof
    setWaitingForProof([])
    for (const resolve of settled) resolve(isProved)
  },
}

/** Returns whether a response asks for a proof of presence. */
export const asksForProof = (status: number, body: unknown): boolean =>
  status === 403 && (body as { readonly code?: unknown } | undefined)?.code === 'presence_required'

/** How often the person has signed in again on this page. */
let renewals = 0

let isEnded = false
let waitingForSession: ReadonlyArray<() => void> = []
const sessionListeners = new Set<() => void>()

const setEnded = (next: boolean): void => {
  isEnded = next
  for (const listener of sessionListeners) listener()
}

/** The end of the session. Requests that were answered with 401 wait here until the person has signed in again. */
export const sessionEnd = {
  isEnded: (): boolean => isEnded,
  subscribe: (listener: () => void): (() => void) => {
    sessionListeners.add(listener)
    return () => sessionListeners.delete(listener)
  },
  /** Resolves when the person has signed in again. */
  wait: (): Promise<void> =>
    new Promise((resolve) => {
      waitingForSession = [...waitingForSession, resolve]
      setEnded(true)
    }),
  /** Lets the waiting requests go on in a new session. */
  resume: (): void => {
    renewals += 1
    const resumed = waitingForSession
    waitingForSession = []
    setEnded(false)
    for (const resolve of resumed) resolve()
  },
}

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
 * again. A person who cancels the proof gets the server's refusal. Signing in ends the session before: a request that was under way then is sent again
 * without asking.
 */
const send = async (request: Request): Promise<Response> => {
  if (!isAttended()) request.headers.set('almoner-unattended', '?1')
  const again = request.clone()
  const sentIn = renewals
  const response = await fetch(request)
  if (response.status === 401) {
    if (sentIn === renewals) await sessionEnd.wait()
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

/** Returns an id of 128 random bits. `crypto.randomUUID` is missing in pages that come without TLS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
