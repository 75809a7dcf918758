import { ApiError, createClient } from '@almoner/client'

/** Where the console's routes are. */
export const API = new URL('/console/api', location.href).href

/** Reports that a request was answered with 401: the session has ended. */
let onSessionEnd: () => void = () => {}

/** Sets the listener that is called when the session has ended. */
export const whenSessionEnds = (listener: () => void): void => {
  onSessionEnd = listener
}

const send = async (request: Request): Promise<Response> => {
  const response = await fetch(request)
  if (response.status === 401) onSessionEnd()
  return response
}

/** The typed client of the API. The session's cookie gives it access. */
export const api = createClient({ baseUrl: API, session: true, fetch: send })

/** Calls a route that only the console has, and returns its JSON. Rejects with an `ApiError`, as the client does. */
export const callConsole = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
  const request = new Request(`${API}${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  const response = await send(request)
  const data: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError({ status: response.status, retryAfter: undefined }, data)
  return data as Data
}
