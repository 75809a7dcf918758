import type { Identity } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { under } from './codecs.ts'

/** The account of the identity provider that signs a manager in, without its identifier there (M3). */
export const IdentityJson = under('identity', {
  email: t.string,
  issuer: t.string,
  linkedAt: t.string,
  lastUsedAt: t.string,
})

/** Writes an account of the identity provider. */
export const encodeIdentity = ({
  email,
  issuer,
  linkedAt,
  lastUsedAt,
}: Identity): t.OutputOf<typeof IdentityJson> => ({
  identity: { email, issuer, linkedAt: toRfc3339(linkedAt), lastUsedAt: toRfc3339(lastUsedAt) },
})
