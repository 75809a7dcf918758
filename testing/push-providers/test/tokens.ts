import { createPrivateKey, sign } from 'node:crypto'
import type { ApnsKey, ServiceAccount, VapidKeys } from '../src/index.ts'

type Claims = Readonly<Record<string, unknown>>

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Seconds since the epoch. */
export const seconds = (): number => Math.floor(Date.now() / 1000)

const jwt = (header: Claims, claims: Claims, key: Parameters<typeof sign>[2]): string => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

/** What a service account asks for an access token with. */
export const assertionOf = (account: ServiceAccount, claims: Claims = {}): string =>
  jwt(
    { alg: 'RS256', typ: 'JWT' },
    {
      iss: account.client_email,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: account.token_uri,
      iat: seconds(),
      exp: seconds() + 3600,
      ...claims,
    },
    account.private_key,
  )

/** A provider token for APNs. */
export const providerTokenOf = (key: ApnsKey, claims: Claims = {}, header: Claims = {}): string =>
  jwt(
    { alg: 'ES256', kid: key.keyId, ...header },
    { iss: key.teamId, iat: seconds(), ...claims },
    { key: key.p8, dsaEncoding: 'ieee-p1363' },
  )

/** The `Authorization` of an application server. */
export const vapidOf = (keys: VapidKeys, aud: string, claims: Claims = {}): string => {
  const point = Buffer.from(keys.publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey } as never,
    format: 'jwk',
  })
  const token = jwt(
    { typ: 'JWT', alg: 'ES256' },
    { aud, exp: seconds() + 3600, sub: 'mailto:push@example.org', ...claims },
    { key, dsaEncoding: 'ieee-p1363' },
  )
  return `vapid t=${token}, k=${keys.publicKey}`
}
