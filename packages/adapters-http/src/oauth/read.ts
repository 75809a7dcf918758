import type { Credentials } from '@almoner/domain/access'
import { countsAsAbsent } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decodeOr } from '../request/request-values.ts'
import { invalidRequest, type OAuthError, UNREADABLE_TYPE } from './errors.ts'

export type Form = Readonly<Record<string, string>>

const KNOWN = ['grant_type', 'client_id', 'client_secret', 'scope', 'token', 'token_type_hint']

const isReadable = (contentType: string | undefined): boolean =>
  /^application\/(?:json|x-www-form-urlencoded)(?:;|\s|$)/i.test(contentType ?? '')

/** The parameters of an OAuth request: from the body only, so that no secret is ever asked to be in a URL (A4). */
export const readForm = (request: FastifyRequest): E.Either<OAuthError, Form> => {
  if (!isReadable(request.headers['content-type'])) return E.left(UNREADABLE_TYPE)
  const body = request.body as Readonly<Record<string, unknown>>
  const form: Record<string, string> = {}
  for (const name of KNOWN) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (countsAsAbsent(value, t.string)) continue
    if (typeof value !== 'string' || !value.isWellFormed())
      return E.left(invalidRequest(`${name} must be given once, as text.`))
    form[name] = value
  }
  return E.right(form)
}

const decoded = (text: string): string | undefined => decodeOr(text.replaceAll('+', ' '), undefined)

/** The id and secret of HTTP Basic, each form-encoded (RFC 6749 §2.3.1). */
const readBasic = (header: string): readonly [string, string] | undefined => {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const [id, secret] = [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))]
  return colon < 0 || id === undefined || secret === undefined ? undefined : [id, secret]
}

/**
 * Reads the client's credentials: from HTTP Basic or from the form, never both (RFC 6749 §2.3). Missing values are empty, and so rejected and
 * counted as wrong ones (A8).
 */
export const readCredentials = (request: FastifyRequest, form: Form): E.Either<OAuthError, Credentials> => {
  const header = request.headers.authorization ?? ''
  const isBasic = /^basic /i.test(header)
  if (isBasic && form['client_secret'] !== undefined)
    return E.left(invalidRequest('Send the client credentials in one way.'))
  const pair = isBasic ? readBasic(header) : [form['client_id'], form['client_secret']]
  const [clientId = '', secret = ''] = pair ?? []
  if (isBasic && form['client_id'] !== undefined && form['client_id'] !== clientId)
    return E.left(invalidRequest('client_id differs from the one in Authorization.'))
  return E.right({ clientId, secret, address: request.ip })
}
