import { type Answer, ApiError, createClient } from '@almoner/client'
import { sessionEnd } from './session-end.ts'

/** Where the console's routes are. */
export const API = new URL('/console/api', location.href).href

/** Sends a request. If the session has ended, sends it again when the person has signed in again. */
const send = async (request: Request): Promise<Response> => {
  const again = request.clone()
  const response = await fetch(request)
  if (response.status !== 401) return response
  await sessionEnd.wait()
  return send(again)
}

/** The typed client of the API. The session's cookie gives it access. */
export const api = createClient({ baseUrl: API, session: true, fetch: send })

/** How a route of the console is called. */
interface Call {
  readonly body?: object
  readonly signal?: AbortSignal
  /** Finishes the request even if the page is closed meanwhile. At most 64 kB. */
  readonly keepalive?: boolean
}

const requestOf = (method: string, path: string, { body, ...rest }: Call): Request =>
  new Request(`${API}${path}`, {
    method,
    ...rest,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })

const readAnswer = async <Data>(response: Response): Promise<Answer<Data>> => {
  const data: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError({ status: response.status, retryAfter: undefined }, data)
  return { data: data as Data, headers: response.headers, etag: response.headers.get('ETag') ?? undefined }
}

/** Calls a route that only the console has. Rejects with an `ApiError`, as the client does. */
export const callConsole = async <Data>(
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer<Data>> => readAnswer(await send(requestOf(method, path, call)))

/** As `callConsole`, but rejects with 401 at once: for the routes that begin and end a session. */
export const callOnce = async <Data>(method: string, path: string, call: Call = {}): Promise<Answer<Data>> =>
  readAnswer(await fetch(requestOf(method, path, call)))
