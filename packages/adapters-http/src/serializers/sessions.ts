import type { Policy } from '@almoner/domain'
import { type ActiveSession, DUTIES, DUTY_NAMES, effectiveScopes, SCOPES } from '@almoner/domain/access'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { LANG, literals, under } from './codecs.ts'

/** A session as its manager sees it, with the scopes of the duty and the time zone of the service (M4, B8). */
export const SessionJson = under('session', {
  manager: t.strict({ email: t.string, name: t.string, language: LANG, duty: literals(DUTY_NAMES) }),
  scopes: t.array(literals(SCOPES)),
  idleEndsAt: t.string,
  endsAt: t.string,
  confirmedAt: t.string,
  timeZone: t.string,
})

/** Writes a session. */
export const encodeSession = (
  { session, manager }: Pick<ActiveSession, 'session' | 'manager'>,
  { timeZone }: Pick<Policy, 'timeZone'>,
): t.OutputOf<typeof SessionJson> => {
  const { email, name, lang, duty } = manager
  const { scopes, roles } = DUTIES[duty]
  return {
    session: {
      manager: { email, name, language: lang, duty },
      scopes: [...effectiveScopes(scopes, roles)],
      idleEndsAt: toRfc3339(session.idleEndsAt),
      endsAt: toRfc3339(session.endsAt),
      confirmedAt: toRfc3339(session.confirmedAt),
      timeZone,
    },
  }
}
