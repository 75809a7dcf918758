import type { Policy } from '@almoner/domain'
import { DUTIES, DUTY_NAMES, effectiveScopes, SCOPES } from '@almoner/domain/access'
import type { ActiveSession, OwnSession } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { LANG, literals, under } from './codecs.ts'

/** A session as its manager sees it: the scopes of the duty, the time zone of the pages, and that of the service (M4, B8). */
export const SessionJson = under('session', {
  manager: t.strict({
    email: t.string,
    name: t.string,
    language: LANG,
    duty: literals(DUTY_NAMES),
    timeZone: t.string,
  }),
  scopes: t.array(literals(SCOPES)),
  idleEndsAt: t.string,
  endsAt: t.string,
  confirmedAt: t.string,
  timeZone: t.string,
  serviceTimeZone: t.string,
})

/** Writes a session. */
export const encodeSession = (
  { session, manager }: Pick<ActiveSession, 'session' | 'manager'>,
  { timeZone }: Pick<Policy, 'timeZone'>,
): t.OutputOf<typeof SessionJson> => {
  const { email, name, lang, duty, timeZone: own } = manager
  const { scopes, roles } = DUTIES[duty]
  return {
    session: {
      manager: { email, name, language: lang, duty, timeZone: own ?? '' },
      scopes: [...effectiveScopes(scopes, roles)],
      idleEndsAt: toRfc3339(session.idleEndsAt),
      endsAt: toRfc3339(session.endsAt),
      confirmedAt: toRfc3339(session.confirmedAt),
      timeZone: own ?? timeZone,
      serviceTimeZone: timeZone,
    },
  }
}

/** One of a manager's sessions, without anything that could continue it (M4). */
export const OneSessionJson = under('session', {
  openedAt: t.string,
  lastSeenAt: t.string,
  endsAt: t.string,
  browser: t.string,
  isCurrent: t.boolean,
})

/** Writes one of a manager's sessions. */
export const encodeOneSession = ({ session, isCurrent }: OwnSession): t.OutputOf<typeof OneSessionJson> => ({
  session: {
    openedAt: toRfc3339(session.openedAt),
    lastSeenAt: toRfc3339(session.lastSeenAt),
    endsAt: toRfc3339(session.endsAt),
    browser: session.browser,
    isCurrent,
  },
})

/** How many sessions were ended (M4). */
export const EndedJson = t.strict({ ended: t.Int })
