import type { Manager, Passkey, Session, SignInLink } from '@almoner/domain/access'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** Returns a manager as JSON. */
export const managerDocument = ({ email, name, lang, duty, disabled }: Manager) => ({
  ...{ email, name, lang, duty, disabled },
})

/** Returns a link that signs in once as JSON; the secret is in the fragment, so that no log has it (M2). */
export const linkDocument = (baseUrl: string, { manager, secret, expiresAt }: SignInLink) => ({
  ...managerDocument(manager),
  link: `${baseUrl}/console/enter#${secret}`,
  expiresAt: toRfc3339(expiresAt),
})

/** Returns a passkey as JSON, without its key. */
export const passkeyDocument = ({ name, createdAt, lastUsedAt }: Passkey) => ({
  name,
  createdAt: toRfc3339(createdAt),
  lastUsedAt: O.isSome(lastUsedAt) ? toRfc3339(lastUsedAt.value) : null,
})

/** Returns a session as JSON, without anything that could continue it. */
export const sessionDocument = ({ openedAt, lastSeenAt, endsAt, browser }: Session) => ({
  openedAt: toRfc3339(openedAt),
  lastSeenAt: toRfc3339(lastSeenAt),
  endsAt: toRfc3339(endsAt),
  browser,
})
