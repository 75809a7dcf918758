import { managerDocument, type Session, type SignInLink } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'

/** Returns a link that signs in once as JSON; the secret is in the fragment, so that no log has it (M2). */
export const linkDocument = (baseUrl: string, { manager, secret, expiresAt }: SignInLink) => ({
  ...managerDocument(manager),
  link: `${baseUrl}/console/enter#${secret}`,
  expiresAt: toRfc3339(expiresAt),
})

/** Returns a session as JSON, without anything that could continue it. */
export const sessionDocument = ({ openedAt, lastSeenAt, endsAt, browser }: Session) => ({
  openedAt: toRfc3339(openedAt),
  lastSeenAt: toRfc3339(lastSeenAt),
  endsAt: toRfc3339(endsAt),
  browser,
})
