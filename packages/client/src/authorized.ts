import { orAborted, type Send } from './ports.ts'
import type { Tokens } from './tokens.ts'

const bearing = (request: Request, token: string): Request => {
  request.headers.set('Authorization', `Bearer ${token}`)
  return request
}

/**
 * Sends requests with a token in the `Authorization` header (A5). If the token is rejected, for example because it was revoked, renews it
 * and repeats the request.
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
