import type { Instant } from '@almoner/domain'
import { holdBack, type PushResult, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { retryAfter } from '../retry-after.ts'
import { isCertificateFault } from '../trust.ts'
import { BY_HTTP_STATUS } from './outcomes.ts'

/** A push that got no answer: it may get one later, unless another server answers there. */
export const unanswered = (error: unknown): PushResult =>
  isCertificateFault(error) ? senderError('CERTIFICATE') : UNANSWERED

interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof Error && 'response' in error ? (error.response as Refusal | undefined) : undefined

/** What a token endpoint says of credentials (https://www.rfc-editor.org/rfc/rfc6749#section-5.2). */
const WORDS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
]

const wordOf = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'error' in data
    ? WORDS.find((word) => word === data.error)
    : undefined

/** What a push comes to for want of an access token: retried when the endpoint is unwell, else our fault (G5). */
export const tokenless = (error: unknown, now: Instant): PushResult => {
  const refusal = refusalOf(error)
  if (refusal === undefined) return unanswered(error)
  const { status, headers, data } = refusal
  const word = (name: string) => headers.get(name) ?? undefined
  const isUnwell = status >= 500 || ['retry', 'busy'].includes(BY_HTTP_STATUS[status] ?? '')
  return isUnwell
    ? holdBack(retryAfter(word('retry-after'), now, word('date')), `HTTP ${status}`)
    : senderError(wordOf(data) ?? `HTTP ${status}`)
}
