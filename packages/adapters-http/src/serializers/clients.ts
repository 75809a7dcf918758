import type { Instant } from '@almoner/domain'
import {
  type ListedClient,
  PEOPLE_KINDS,
  peopleKindOf,
  ROLES,
  SCOPES,
  type ShownSecret,
} from '@almoner/domain/access'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { literals, orEmpty, under } from './codecs.ts'

const TIME_OR_NULL = t.union([t.string, t.null])

const timeOrNull = (time: O.Option<Instant>): string | null => O.toNullable(O.map(toRfc3339)(time))

/**
 * A client of the API as operators see it, without secrets. `people` is how it obtains tokens for people (A10). `lastUsedAt` is null if it was never used, `oldUntil` is null unless an earlier
 * secret is still valid (A6).
 */
export const ClientJson = under('client', {
  clientId: t.string,
  name: t.string,
  scopes: t.array(literals(SCOPES)),
  roles: t.array(literals(ROLES)),
  email: t.string,
  disabled: t.boolean,
  people: literals(PEOPLE_KINDS),
  audience: t.string,
  lastUsedAt: TIME_OR_NULL,
  oldUntil: TIME_OR_NULL,
})

/** The new secret of a client, shown this once (A6); empty for a public client, which has none (A10). */
export const CredentialsJson = under('credentials', {
  clientId: t.string,
  secret: t.string,
  oldUntil: TIME_OR_NULL,
})

/** Writes a client of the list. */
export const encodeClient = ({
  client,
  lastUsedAt,
  oldUntil,
}: ListedClient): t.OutputOf<typeof ClientJson> => ({
  client: {
    clientId: client.id,
    name: client.name,
    scopes: [...client.scopes],
    roles: [...client.roles],
    email: orEmpty(client.email),
    disabled: client.disabled,
    people: peopleKindOf(client),
    audience: orEmpty(client.forPeople?.audience ?? O.none),
    lastUsedAt: timeOrNull(lastUsedAt),
    oldUntil: timeOrNull(oldUntil),
  },
})

/** Writes a new secret. */
export const encodeCredentials = ({
  client,
  secret,
  oldUntil,
}: ShownSecret): t.OutputOf<typeof CredentialsJson> => ({
  credentials: { clientId: client.id, secret, oldUntil: timeOrNull(oldUntil) },
})
