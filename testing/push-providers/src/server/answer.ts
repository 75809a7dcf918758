import { constants } from 'node:http2'

/** What a server does with a request, be it an answer or a fault of the connection. */
export type ScriptedResponse =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly kind: 'reset'; readonly code: number }
  | { readonly kind: 'goAway'; readonly code: number; readonly data: string }
  | { readonly kind: 'cut' }

/** An answer of HTTP. */
export const reply = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): ScriptedResponse => ({
  kind: 'reply',
  status,
  headers,
  body,
})

/** An answer in JSON. */
export const replyJson = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ScriptedResponse =>
  reply(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }, JSON.stringify(value))

/**
 * The stream ends with RST_STREAM, the connection stays (https://www.rfc-editor.org/rfc/rfc9113#section-6.4). `REFUSED_STREAM` says
 * that nothing has been done with the request; other codes leave that open. Over HTTP/1.1, where there are no streams, a {@link cut}.
 */
export const reset = (code: number = constants.NGHTTP2_INTERNAL_ERROR): ScriptedResponse => ({
  kind: 'reset',
  code,
})

/**
 * GOAWAY, which says that this request and later ones have not been looked at, then the connection closes once earlier ones have
 * been answered (https://www.rfc-editor.org/rfc/rfc9113#section-6.8). Over HTTP/1.1 a {@link cut}.
 * @param data what the frame carries, as APNs puts a reason there
 */
export const goAway = (data = '', code: number = constants.NGHTTP2_NO_ERROR): ScriptedResponse => ({
  kind: 'goAway',
  code,
  data,
})

/** The connection is reset without a word, with every request on it. */
export const cut = (): ScriptedResponse => ({ kind: 'cut' })

/** `Retry-After` as seconds, or as a date (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3); none: no such header. */
export const retryAfter = (when: number | Date | undefined): Readonly<Record<string, string>> => {
  if (when === undefined) return {}
  return { 'retry-after': when instanceof Date ? when.toUTCString() : String(when) }
}
