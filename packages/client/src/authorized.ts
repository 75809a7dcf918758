import { orAborted, type Send } from './ports.ts'
import type { Tokens } from './tokens.ts'

const bearing = (request: Request, token: string): Request => {
  request.headers.set('Authorization', `Bearer ${token}`)
  return request
}

/**
 * Sends requests with a token in their header field, the one place that this client uses (A5). A token that is refused, revoked say, is
 * renewed and the request sent once more.
 */
export const authorized =
  (send: Send, tokens: Tokens): Send =>
  async (request) => {
    const again = request.clone()
    const token = await orAborted(tokens.get(), request.signal)
    const response = await send(bearing(request, token))
    if (response.status !== 401) return response
    await response.body?.cancel()
    return send(bearing(again, await orAborted(tokens.get(token), request.signal)))
  }
